/** Badge for messages that contain secrets, such as an API key or a card number. */

import { KeyRound } from "lucide-react";
import { secretLabels } from "@/chat/labels";
import type { ThreadItem } from "@/chat/thread/threadItems";
import { Badge } from "@/ui/Controls";
import styles from "./messages.module.css";

const EXPLANATION =
  "Recognised in this message. It is kept out of titles, search, summaries and agents; a key or password that others may have seen had better be changed.";

export function SecretBadge({ contains }: Pick<ThreadItem, "contains">) {
  if (contains.length === 0) return null;
  return (
    <Badge tone="warn" className={styles.contains} data-testid="contains" title={EXPLANATION}>
      <KeyRound size={12} aria-hidden />
      Contains: {secretLabels(contains)}
    </Badge>
  );
}
