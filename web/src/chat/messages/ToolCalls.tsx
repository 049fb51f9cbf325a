/** Collapsible list of the tool calls of an answer. */

import { Check, ChevronRight, TriangleAlert } from "lucide-react";
import { formatDuration } from "@/chat/labels";
import type { ToolCall } from "@/stream/frames";
import styles from "./ToolCalls.module.css";

export function ToolCalls({ calls }: { calls: readonly ToolCall[] }) {
  if (calls.length === 0) return null;
  const failed = calls.filter((call) => !call.ok).length;
  const name = calls.length === 1 ? withSpaces(calls[0]?.name ?? "") : `${calls.length} tools`;
  return (
    <details className={styles.tools} data-testid="tool-calls">
      <summary>
        <ChevronRight size={15} aria-hidden className={styles.chevron} />
        Used {name}
        {failed > 0 && <span className={styles.failedTools}>, {failed === 1 ? "one" : failed} failed</span>}
      </summary>
      <ul>
        {calls.map((call, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: calls are identified by their position
          <li key={index}>
            <span className={styles.toolHead}>
              {call.ok ? (
                <Check size={14} aria-label="worked" className={styles.worked} />
              ) : (
                <TriangleAlert size={14} aria-label="failed" className={styles.failed} />
              )}
              <code>{call.name}</code>
              {call.elapsed_ms != null && <span>{formatDuration(call.elapsed_ms)}</span>}
              {call.error_code && <span className={styles.failed}>{withSpaces(call.error_code)}</span>}
            </span>
            {call.arguments && <pre>{call.arguments}</pre>}
          </li>
        ))}
      </ul>
    </details>
  );
}

const withSpaces = (name: string): string => name.replaceAll("_", " ");
