/** Menus and popovers. Never modal: the page behind stays usable, and nothing is injected into the page's styles. */

import { DropdownMenu, Popover as RadixPopover } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";
import { classNames } from "./Controls";
import styles from "./ui.module.css";

/** A menu behind the button given as `trigger`. */
export function Menu(props: {
  trigger: ReactNode;
  children: ReactNode;
  align?: "start" | "end";
  side?: "top" | "bottom" | "right";
  /** Called before focus goes back to the trigger; prevent it to send focus elsewhere. */
  onCloseAutoFocus?: (event: Event) => void;
}) {
  const { onCloseAutoFocus } = props;
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{props.trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className={styles.menu}
          align={props.align ?? "end"}
          side={props.side ?? "bottom"}
          sideOffset={4}
          collisionPadding={8}
          {...(onCloseAutoFocus ? { onCloseAutoFocus } : {})}
        >
          {props.children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

export function MenuItem({
  danger = false,
  ...rest
}: ComponentProps<typeof DropdownMenu.Item> & { danger?: boolean }) {
  return <DropdownMenu.Item {...rest} className={classNames(styles.item, danger && styles.danger)} />;
}

export const MenuSeparator = () => <DropdownMenu.Separator className={styles.separator} />;

export const MenuLabel = ({ children }: { children: ReactNode }) => (
  <DropdownMenu.Label className={styles.label}>{children}</DropdownMenu.Label>
);

/** Something more about what `trigger` shows. Escape or a click elsewhere closes it. */
export function Popover(props: { trigger: ReactNode; label: string; children: ReactNode; testId?: string }) {
  return (
    <RadixPopover.Root>
      <RadixPopover.Trigger asChild>{props.trigger}</RadixPopover.Trigger>
      <RadixPopover.Portal>
        <RadixPopover.Content
          className={styles.popover}
          align="start"
          sideOffset={6}
          collisionPadding={12}
          aria-label={props.label}
          data-testid={props.testId}
        >
          {props.children}
        </RadixPopover.Content>
      </RadixPopover.Portal>
    </RadixPopover.Root>
  );
}
