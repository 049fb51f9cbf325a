/** The files of a message that is being written: uploaded at once, sent with it. */

import { useCallback, useRef, useState } from "react";
import { ApiError } from "@/api/apiError";
import type { Schemas } from "@/api/client";
import { usePolicy } from "@/brand/usePolicy";
import { useApi } from "@/session/SessionContext";
import { showToast } from "@/ui/Toasts";
import { type AttachedFile, uploadFile } from "./upload";

/** How many files a message may have as long as the service has not said it. */
const MAX_FILES = 5;

export interface Draft {
  key: string;
  name: string;
  /** Null while it is uploaded. */
  file: AttachedFile | null;
}

export interface Attachments {
  drafts: readonly Draft[];
  /** Those that can be sent. */
  files: readonly AttachedFile[];
  isUploading: boolean;
  add: (files: Iterable<File>) => void;
  remove: (key: string) => void;
  clear: () => void;
}

const filesPerMessage = (policy: Schemas["PolicyView"]): number => policy.attachments_per_message;

export function useAttachments(): Attachments {
  const api = useApi();
  const most = usePolicy(filesPerMessage) ?? MAX_FILES;
  const [drafts, setDrafts] = useState<readonly Draft[]>([]);
  // Many files may be dropped before the page is rendered again.
  const count = useRef(0);
  count.current = drafts.length;
  const remove = useCallback(
    (key: string) => setDrafts((known) => known.filter((draft) => draft.key !== key)),
    [],
  );
  const add = useCallback(
    (files: Iterable<File>) => {
      const all = [...files];
      const taken = all.slice(0, Math.max(0, most - count.current));
      const left = all.length - taken.length;
      if (left > 0) showToast({ text: `A message can have ${most} files; ${left} of these were left out.` });
      count.current += taken.length;
      for (const chosen of taken) {
        const key = crypto.randomUUID();
        setDrafts((known) => [...known, { key, name: chosen.name, file: null }]);
        uploadFile(api, chosen)
          .then((file) =>
            setDrafts((known) => known.map((draft) => (draft.key === key ? { ...draft, file } : draft))),
          )
          .catch((error: unknown) => {
            remove(key);
            showToast({ text: `${chosen.name}: ${ApiError.from(error).message}` });
          });
      }
    },
    [api, most, remove],
  );
  const clear = useCallback(() => setDrafts([]), []);
  const files = drafts.flatMap((draft) => draft.file ?? []);
  return { drafts, files, isUploading: files.length < drafts.length, add, remove, clear };
}
