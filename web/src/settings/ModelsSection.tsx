/** The models that messages of this workspace may be answered by, with their prices. */

import { ListError, ListLoading } from "@/lists/ListPlaceholders";
import { Badge } from "@/ui/Controls";
import { useModels } from "./queries";
import styles from "./settings.module.css";

const price = (usd: number | null): string => (usd === null ? "–" : `$${usd}`);

export function ModelsSection() {
  const models = useModels();
  if (models.isPending) return <ListLoading what="models" height={44} />;
  if (!models.data)
    return <ListError what="models" error={models.error} onRetry={() => void models.refetch()} />;
  if (models.data.items.length === 0)
    return (
      <p className={styles.hint}>
        No model is set up here. Messages are understood by rules, and agents that need a model wait.
      </p>
    );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section className={styles.scroll} tabIndex={0} aria-label="Models">
      <table className={styles.table} data-testid="models">
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col">In, per million</th>
            <th scope="col">Out, per million</th>
          </tr>
        </thead>
        <tbody>
          {models.data.items.map((model) => (
            <tr key={model.id}>
              <th scope="row">
                {model.id} {model.understands_by_default && <Badge>understands</Badge>}{" "}
                {model.answers_by_default && <Badge>answers</Badge>}
              </th>
              <td>{price(model.input_usd_per_million)}</td>
              <td>{price(model.output_usd_per_million)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
