/** The user's data: take all of it along, or delete all of it with a receipt. */

import { useState } from "react";
import { ApiError } from "@/api/apiError";
import { downloadFile, type ExportFormat, fetchFullExport } from "@/conversations/queries/exportConversation";
import { useApi, useIdentity, useSession, useUserStorage } from "@/session/SessionContext";
import { announce } from "@/ui/Announcer";
import { Button } from "@/ui/Controls";
import { showToast } from "@/ui/Toasts";
import { EraseDialog } from "./EraseDialog";
import { ErasureReceipt } from "./ErasureReceipt";
import styles from "./settings.module.css";

const RECEIPT = "erasure";

export function DataSection() {
  return (
    <>
      <ExportAll />
      <DeleteAll />
    </>
  );
}

function ExportAll() {
  const api = useApi();
  const [pages, setPages] = useState<number | null>(null);
  const save = async (format: ExportFormat) => {
    setPages(0);
    try {
      downloadFile(await fetchFullExport(api, format, setPages), "conversations", format);
      announce("Your conversations are saved as a file.");
    } catch (cause) {
      showToast({ text: `Nothing was saved: ${ApiError.from(cause).message}` });
    } finally {
      setPages(null);
    }
  };
  return (
    <div className={styles.block}>
      <h4>Take everything along</h4>
      <p className={styles.hint}>All your conversations in one file, to read or to import elsewhere.</p>
      <div className={styles.actions}>
        <Button disabled={pages !== null} onClick={() => void save("json")} data-testid="export-all-json">
          Save all as JSON
        </Button>
        <Button
          disabled={pages !== null}
          onClick={() => void save("markdown")}
          data-testid="export-all-markdown"
        >
          Save all as Markdown
        </Button>
      </div>
      {pages !== null && <p role="status">Reading your conversations, {pages} parts so far…</p>}
    </div>
  );
}

function DeleteAll() {
  const { user } = useIdentity();
  const session = useSession();
  const storage = useUserStorage();
  const [isAsking, setAsking] = useState(false);
  const [erasure, setErasure] = useState(() => storage.get<string>(RECEIPT));
  return (
    <div className={styles.block}>
      <h4>Delete my data</h4>
      <p className={styles.hint}>
        Everything the service has of you is erased for good: conversations, agents, tasks, connections and
        learned examples. Nobody can bring it back. What is under a legal hold stays until the hold is lifted.
      </p>
      <div className={styles.actions}>
        <Button variant="danger" onClick={() => setAsking(true)} data-testid="delete-my-data">
          Delete all my data
        </Button>
      </div>
      {erasure && <ErasureReceipt id={erasure} />}
      {erasure && (
        <div className={styles.actions}>
          <Button onClick={() => void session.signOut()}>Sign out and clear this browser</Button>
        </div>
      )}
      {isAsking && (
        <EraseDialog
          erased={{ scope: "user", id: user }}
          name={user}
          text="All your conversations, agents, tasks and connections are erased for good. Requests of yours are refused while that happens."
          onBegun={({ id }) => {
            storage.set(RECEIPT, id);
            setErasure(id);
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}
