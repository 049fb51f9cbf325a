/** The user's files, newest first: get one back, or remove one that no message was sent with. */

import { formatDateTime } from "@/agents/labels";
import { type Schemas, unwrap } from "@/api/client";
import { queryKeys } from "@/api/queryKeys";
import { PagedList } from "@/lists/PagedList";
import { usePagedQuery } from "@/lists/pagedQuery";
import { useRequest } from "@/lists/useRequest";
import { useApi } from "@/session/SessionContext";
import { Badge, Button } from "@/ui/Controls";
import styles from "./settings.module.css";

type File = Schemas["AttachmentView"];

const KEY = queryKeys.setting("files");

export function FilesSection() {
  const api = useApi();
  const files = usePagedQuery<File>(KEY, (cursor) =>
    unwrap(api.GET("/v1/attachments", { params: { query: cursor ? { cursor } : {} } })),
  );
  return (
    <PagedList list={files} what="files" empty="You have sent no files.">
      {(file) => <FileRow file={file} />}
    </PagedList>
  );
}

function FileRow({ file }: { file: File }) {
  const api = useApi();
  const params = { params: { path: { attachment_id: file.id } } };
  const download = useRequest({
    // Addresses of downloads expire, so a new one is asked for.
    send: (_: null) => unwrap(api.GET("/v1/attachments/{attachment_id}", params)),
    queryKeys: [],
    errorText: "The file can't be had right now",
    onSuccess: ({ download_url: url }) => {
      // A picture is shown where its address is opened, so it must not take the page's place.
      if (url) window.open(url, "_blank", "noopener");
    },
  });
  const remove = useRequest({
    send: (_: null) => unwrap(api.DELETE("/v1/attachments/{attachment_id}", params)),
    queryKeys: [KEY],
    errorText: "The file could not be removed",
  });
  return (
    <div className={styles.row}>
      <div>
        <b dir="auto">{file.name}</b> {file.state !== "ready" && <Badge>{file.state}</Badge>}
        <small>
          {formatSize(file.size)}, {formatDateTime(file.created_at)}
        </small>
      </div>
      <div className={styles.actions}>
        <Button
          small
          disabled={file.state !== "ready" || download.isPending}
          onClick={() => download.mutate(null)}
          data-testid="file-download"
        >
          Download<span className="visually-hidden"> {file.name}</span>
        </Button>
        {!file.sent && (
          <Button
            small
            variant="danger"
            disabled={remove.isPending}
            onClick={() => remove.mutate(null)}
            data-testid="file-remove"
          >
            Remove<span className="visually-hidden"> {file.name}</span>
          </Button>
        )}
      </div>
    </div>
  );
}

const KB = 1024;

function formatSize(bytes: number): string {
  if (bytes < KB) return `${bytes} bytes`;
  return bytes < KB * KB ? `${Math.round(bytes / KB)} KB` : `${(bytes / KB / KB).toFixed(1)} MB`;
}
