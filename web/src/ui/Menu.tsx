/** Dropdown menu. It is never modal, because Radix's modal mode injects styles that the page's CSP forbids. */

import { DropdownMenu } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";
import { classNames } from "./Controls";
import styles from "./ui.module.css";

/** A menu that opens at the button given as `trigger`. */
export function Menu(props: {
  trigger: ReactNode;
  children: ReactNode;
  align?: "start" | "end";
  side?: "top" | "bottom" | "right";
  /** Called before focus returns to the trigger. Prevent the default to move focus elsewhere. */
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
