/** The paperclip: chooses files for the message. */

import { Paperclip } from "lucide-react";
import { type ChangeEvent, useRef } from "react";
import { IconButton } from "@/ui/Controls";
import { ACCEPTED } from "./upload";

export function AttachButton({ onFiles }: { onFiles: (files: Iterable<File>) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    onFiles([...(event.target.files ?? [])]);
    // The same file can be chosen again.
    event.target.value = "";
  };
  return (
    <>
      <IconButton label="Attach files" onClick={() => input.current?.click()} data-testid="attach">
        <Paperclip size={18} aria-hidden />
      </IconButton>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={ACCEPTED}
        aria-label="Files to attach"
        onChange={choose}
        data-testid="attach-input"
      />
    </>
  );
}
