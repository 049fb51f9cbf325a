/** The fields of limits, which the workspace's settings and a tenant's grant share. */

import described from "@/api/fields.json";
import type { FieldSpec } from "@/forms/FormField";
import type { SchemaName } from "@/forms/fields";

const LABELS: Record<string, string> = {
  turns_per_minute: "Messages a minute, of all users",
  burst: "Messages at once after a quiet time",
  turns_at_once: "Messages of one user at the same time",
  bytes_per_day: "Bytes stored in a day, of all users",
  bytes_per_user_per_day: "Bytes stored in a day, of one user",
  runs_at_once: "Runs at the same time",
  agents: "Agents of all users",
  agents_per_user: "Agents of one user",
  skills: "Skills of all users",
  skills_per_user: "Skills of one user",
};

const WHOSE: Record<string, string> = {
  per_day: "in a day, of all users",
  per_user_per_day: "in a day, of one user",
};

function labelOf(path: string): string {
  const [group = "", name] = path.split(".");
  if (!name) return LABELS[group] ?? group;
  const what = name.replaceAll("_", " ");
  return `${what.charAt(0).toUpperCase()}${what.slice(1)} ${WHOSE[group]}`;
}

/** A field for each limit of the schema. */
export function capFields(schema: SchemaName): FieldSpec[] {
  return Object.keys(described[schema])
    .filter((name) => name.startsWith("limits.") && !name.startsWith("limits.usd_"))
    .map((name) => ({ name, label: labelOf(name.slice("limits.".length)), options: { "": "as deployed" } }));
}
