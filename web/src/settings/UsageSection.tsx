/** Usage of models and what it cost: the user's own, and for administrators the workspace's, by user. */

import { useState } from "react";
import { formatCost } from "@/chat/labels";
import { DAY_MS, isoDay } from "@/dates";
import { ListError, ListLoading } from "@/lists/ListPlaceholders";
import { useIdentity } from "@/session/SessionContext";
import { Field, Input } from "@/ui/Controls";
import uiStyles from "@/ui/ui.module.css";
import { useUsage } from "./queries";
import styles from "./settings.module.css";

type Report = NonNullable<ReturnType<typeof useUsage>["data"]>;
type Counts = Report["total"];

export function UsageSection() {
  const { roles } = useIdentity();
  const [scope, setScope] = useState<"mine" | "tenant">("mine");
  const [from, setFrom] = useState(() => isoDay(new Date(Date.now() - 29 * DAY_MS)));
  const [to, setTo] = useState(() => isoDay(new Date()));
  const usage = useUsage(from, to, scope);
  return (
    <>
      <div className={styles.controls}>
        <Field label="From">
          <Input
            type="date"
            value={from}
            max={to}
            onChange={(event) => setFrom(event.target.value || from)}
          />
        </Field>
        <Field label="To">
          <Input type="date" value={to} min={from} onChange={(event) => setTo(event.target.value || to)} />
        </Field>
        {roles.includes("admin") && (
          <Field label="Of">
            <select
              className={uiStyles.input}
              value={scope}
              onChange={(event) => setScope(event.target.value === "tenant" ? "tenant" : "mine")}
              data-testid="usage-scope"
            >
              <option value="mine">You</option>
              <option value="tenant">The whole workspace</option>
            </select>
          </Field>
        )}
      </div>
      {usage.isPending ? (
        <ListLoading what="usage" height={44} />
      ) : usage.data ? (
        <UsageReport report={usage.data} />
      ) : (
        <ListError what="usage" error={usage.error} onRetry={() => void usage.refetch()} />
      )}
    </>
  );
}

function UsageReport({ report }: { report: Report }) {
  const { budget, caps, users } = report;
  // What counts today for all users is the operators' cap as well, so it is told from the budget.
  const others = caps?.filter(({ period }) => !(budget && period === "day")) ?? [];
  const days = report.days.toReversed().map(({ day, usage }) => ({ name: day, usage }));
  return (
    <>
      {budget && (
        <p className={styles.hint} data-testid="usage-budget">
          Spent today: {formatCost(budget.spent_usd)} of at most {formatCost(budget.effective_usd_per_day)}.
        </p>
      )}
      {others.map(({ period, spent_usd, cap_usd }) => (
        <p className={styles.hint} key={period} data-testid={`usage-cap-${period}`}>
          Spent {period === "day" ? "today" : "this month"}: {formatCost(spent_usd)} of at most{" "}
          {formatCost(cap_usd)}.
        </p>
      ))}
      <UsageTable what="Days" rows={[{ name: "Total", usage: report.total }, ...days]} testId="usage-days" />
      {users && (
        <UsageTable
          what="Users"
          rows={users.map(({ user, usage }) => ({ name: user, usage }))}
          testId="usage-users"
        />
      )}
    </>
  );
}

const number = new Intl.NumberFormat("en");

function UsageTable(props: {
  what: string;
  rows: readonly { name: string; usage: Counts }[];
  testId: string;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section className={styles.scroll} tabIndex={0} aria-label={`Usage: ${props.what}`}>
      <table className={styles.table} data-testid={props.testId}>
        <thead>
          <tr>
            <th scope="col">{props.what}</th>
            <th scope="col">Messages</th>
            <th scope="col">Runs</th>
            <th scope="col">Model calls</th>
            <th scope="col">Tokens</th>
            <th scope="col">Cost</th>
          </tr>
        </thead>
        <tbody>
          {props.rows.map(({ name, usage }) => (
            <tr key={name}>
              <th scope="row">
                <bdi>{name}</bdi>
              </th>
              <td>{number.format(usage.turns)}</td>
              <td>{number.format(usage.runs)}</td>
              <td>{number.format(usage.model_calls)}</td>
              <td>{number.format(usage.prompt_tokens + usage.completion_tokens)}</td>
              <td>{formatCost(usage.cost_usd)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
