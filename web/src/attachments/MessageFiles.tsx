/** The files of a message in the thread: images as thumbnails, others by name. Each opens in a tab of its own. */

import { useQuery } from "@tanstack/react-query";
import { FileText } from "lucide-react";
import { unwrap } from "@/api/client";
import { useApi } from "@/session/SessionContext";
import styles from "./attachments.module.css";
import type { AttachedFile } from "./upload";

/** Shorter than an address is valid. */
const ADDRESS_VALID_MS = 10 * 60_000;

export function MessageFiles({ files }: { files: readonly AttachedFile[] }) {
  if (files.length === 0) return null;
  return (
    <ul className={styles.files} aria-label="Files">
      {files.map((file) => (
        <MessageFile key={file.id} file={file} />
      ))}
    </ul>
  );
}

function MessageFile({ file }: { file: AttachedFile }) {
  const api = useApi();
  const { data: address } = useQuery({
    queryKey: ["attachment", file.id],
    queryFn: async () => {
      const path = { attachment_id: file.id };
      const found = await unwrap(api.GET("/v1/attachments/{attachment_id}", { params: { path } }));
      return found.download_url;
    },
    staleTime: ADDRESS_VALID_MS,
  });
  const isImage = file.media_type.startsWith("image/");
  const shown =
    isImage && address ? (
      <img className={styles.thumbnail} src={address} alt={file.name} />
    ) : (
      <span className={styles.file}>
        <FileText size={14} aria-hidden />
        <span className={styles.name}>{file.name}</span>
      </span>
    );
  return (
    <li data-testid="message-file">
      {address ? (
        <a href={address} target="_blank" rel="noreferrer" title={file.name}>
          {shown}
        </a>
      ) : (
        shown
      )}
    </li>
  );
}
