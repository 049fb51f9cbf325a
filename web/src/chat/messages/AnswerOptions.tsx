/** What the assistant offers to choose from. Picking one sends its number, which the assistant asked for. */

import styles from "@/chat/chat.module.css";
import { useThreadRegistry } from "@/chat/thread/ThreadContext";
import { Button } from "@/ui/Controls";

export function AnswerOptions({ options }: { options: readonly string[] }) {
  const threads = useThreadRegistry();
  return (
    <fieldset className={styles.options}>
      <legend className="visually-hidden">Choose one</legend>
      {options.map((option, index) => {
        const [lead, rest] = splitOption(option);
        return (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: an option is its place in the list
            key={index}
            type="button"
            className={styles.option}
            data-testid="option"
            onClick={() => threads.compose(String(index + 1), { send: true })}
          >
            <span className={styles.number} aria-hidden>
              {index + 1}
            </span>
            <span>
              <b>{lead}</b>
              {rest && <span className={styles.optionText}>{rest}</span>}
            </span>
          </button>
        );
      })}
    </fieldset>
  );
}

/** The ways to answer what the assistant proposes. */
export function YesNoButtons() {
  const threads = useThreadRegistry();
  const say = (word: string) => threads.compose(word, { send: true });
  return (
    <fieldset className={styles.yesNo}>
      <legend className="visually-hidden">Answer</legend>
      <Button small variant="primary" data-testid="yes" onClick={() => say("Yes")}>
        Yes
      </Button>
      <Button small data-testid="no" onClick={() => say("No")}>
        No
      </Button>
    </fieldset>
  );
}

/** What may follow the options: an invitation to name a number, which the buttons are. */
const MAX_CLOSING = 60;

/** The text without the numbered list that the options show as buttons; as it is when it holds no such list. */
export function stripOptions(text: string, options: readonly string[]): string {
  const list = options.map((option, index) => `${index + 1}. ${option}`).join("\n");
  const start = options.length > 0 ? text.indexOf(list) : -1;
  if (start <= 0 || text.length - start - list.length > MAX_CLOSING) return text;
  return text.slice(0, start).trimEnd();
}

/** What an option does, and what would come of it. */
function splitOption(option: string): [string, string] {
  const colon = option.indexOf(": ");
  if (colon < 0) return [option, ""];
  const outcome = option.slice(colon + 2);
  return [option.slice(0, colon), outcome.charAt(0).toUpperCase() + outcome.slice(1)];
}
