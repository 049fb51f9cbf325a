/** Popover that opens at a button and closes on Escape or a click outside. */

import { Popover as RadixPopover } from "radix-ui";
import type { ReactNode } from "react";
import styles from "./ui.module.css";

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
