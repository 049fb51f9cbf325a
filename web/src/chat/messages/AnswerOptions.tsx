/** Buttons for the options that an answer offers. Picking one sends its words. */

import { useThreadRegistry } from "@/chat/thread/ThreadContext";
import { Button } from "@/ui/Controls";
import styles from "./AnswerOptions.module.css";

export function AnswerOptions({ options }: { options: readonly string[] }) {
  const threads = useThreadRegistry();
  return (
    <fieldset className={styles.options}>
      <legend className="visually-hidden">Choose one</legend>
      {options.map((option, index) => {
        const [title, description] = splitOption(option);
        return (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: options are identified by their position
            key={index}
            type="button"
            className={styles.option}
            data-testid="option"
            onClick={() => threads.compose(wordsOf(options, index), { send: true })}
          >
            <span className={styles.number} aria-hidden>
              {index + 1}
            </span>
            <span>
              <b>{title}</b>
              {description && <span className={styles.optionText}>{description}</span>}
            </span>
          </button>
        );
      })}
    </fieldset>
  );
}

/** Buttons to accept or decline what an answer proposes. */
export function YesNoButtons() {
  const threads = useThreadRegistry();
  const reply = (text: string) => threads.compose(text, { send: true });
  return (
    <fieldset className={styles.yesNo}>
      <legend className="visually-hidden">Answer</legend>
      <Button small variant="primary" data-testid="yes" onClick={() => reply("Yes")}>
        Yes
      </Button>
      <Button small data-testid="no" onClick={() => reply("No")}>
        No
      </Button>
    </fieldset>
  );
}

/** The longest sentence that may follow the options, such as a request to name a number. */
const MAX_CLOSING = 60;

/** Removes the numbered list of options from the text, because the buttons show it. */
export function stripOptions(text: string, options: readonly string[]): string {
  const list = options.map((option, index) => `${index + 1}. ${option}`).join("\n");
  const start = options.length > 0 ? text.indexOf(list) : -1;
  if (start <= 0 || text.length - start - list.length > MAX_CLOSING) return text;
  return text.slice(0, start).trimEnd();
}

/** The words that pick an option: its title, or all of it, or its number, whichever fits no other. */
export function wordsOf(options: readonly string[], index: number): string {
  const option = options[index] ?? "";
  const isUnique = (words: string) =>
    options.filter((each) => each === words || splitOption(each)[0] === words).length === 1;
  return [splitOption(option)[0], option].find(isUnique) ?? String(index + 1);
}

/** Splits an option into its title and its description. */
function splitOption(option: string): [string, string] {
  const colon = option.indexOf(": ");
  if (colon < 0) return [option, ""];
  const description = option.slice(colon + 2);
  return [option.slice(0, colon), description.charAt(0).toUpperCase() + description.slice(1)];
}
