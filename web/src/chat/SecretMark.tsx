/** Says that a message holds something like a key or a card number. */

import { KeyRound } from "lucide-react";
import { Badge } from "@/ui/controls";
import styles from "./chat.module.css";
import type { Item } from "./items";
import { secretNames } from "./words";

const MEANING =
  "Recognised in this message. It is kept out of titles, search, summaries and agents; a key or password that others may have seen had better be changed.";

export function SecretMark({ contains }: Pick<Item, "contains">) {
  if (contains.length === 0) return null;
  return (
    <Badge tone="warn" className={styles.contains} data-testid="contains" title={MEANING}>
      <KeyRound size={12} aria-hidden />
      Contains: {secretNames(contains)}
    </Badge>
  );
}
