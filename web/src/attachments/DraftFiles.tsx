/** The files of the message that is being written, each with a button that removes it. */

import { FileText, X } from "lucide-react";
import { IconButton } from "@/ui/Controls";
import styles from "./attachments.module.css";
import type { Attachments } from "./useAttachments";

export function DraftFiles({ drafts, remove }: Pick<Attachments, "drafts" | "remove">) {
  if (drafts.length === 0) return null;
  return (
    <ul className={styles.files} aria-label="Files of this message">
      {drafts.map(({ key, name, file }) => (
        <li key={key} className={styles.file} aria-busy={file === null} data-testid="draft-file">
          <FileText size={14} aria-hidden />
          <span className={styles.name}>{name}</span>
          {file === null && <span className={styles.note}>Uploading…</span>}
          <IconButton small label={`Remove ${name}`} onClick={() => remove(key)}>
            <X size={14} aria-hidden />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
