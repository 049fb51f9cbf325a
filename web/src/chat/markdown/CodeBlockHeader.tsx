/** Header of a code block: its language and a copy button. */

import { Check, Copy } from "lucide-react";
import { useClipboard } from "@/chat/clipboard";
import styles from "./markdown.module.css";

export function CodeBlockHeader({ language, code }: { language?: string | undefined; code: string }) {
  const [copied, copy] = useClipboard();
  return (
    <div className={styles.codeHeader}>
      <span>{language && language !== "unknown" ? language : "code"}</span>
      <button type="button" onClick={() => void copy(code)} data-testid="copy-code">
        {copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
        {copied ? "Copied" : "Copy code"}
      </button>
    </div>
  );
}
