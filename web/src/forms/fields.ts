/** The fields of the API's request bodies, as forms need them: their kinds and limits. Pure. */

import described from "@/api/fields.json";
import { isRecord } from "@/json";

export type SchemaName = keyof typeof described;

interface Limits {
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
}

/** What the API accepts for a field. */
export interface FieldRules extends Limits {
  kind: "text" | "integer" | "number" | "flag" | "choice" | "list";
  nullable?: boolean;
  required?: boolean;
  options?: readonly string[];
  item?: Limits & { options?: readonly string[] };
}

/** A value as its control holds it; lists of free text are one text with a line each. */
export type ControlValue = string | boolean | readonly string[];

export function rulesOf(schema: SchemaName, name: string): FieldRules {
  const rules = (described[schema] as Record<string, unknown>)[name];
  if (!rules) throw new Error(`${schema} has no field ${name}`);
  return rules as FieldRules;
}

/** The control's value for a value of the API. */
export function toControl(value: unknown, rules: FieldRules): ControlValue {
  if (rules.kind === "flag") return value === true;
  if (rules.kind === "list") {
    const items = Array.isArray(value) ? value.map(String) : [];
    return rules.item?.options ? items : items.join("\n");
  }
  return value === null || value === undefined ? "" : String(value);
}

/** The API's value for a control's; null or an empty one for a control that was left empty. */
export function fromControl(value: ControlValue, rules: FieldRules): unknown {
  if (typeof value === "boolean") return value;
  if (typeof value !== "string") return value;
  const text = value.trim();
  if (rules.kind === "list") {
    const items = text.split("\n").flatMap((line) => line.trim() || []);
    return items.length === 0 && rules.nullable ? null : items;
  }
  if (text === "") return rules.kind === "text" && !rules.nullable ? "" : null;
  return rules.kind === "integer" || rules.kind === "number" ? Number(text) : text;
}

export const isSame = (one: ControlValue, other: ControlValue): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** The value at a path such as `limits.agents`. */
export function valueAt(values: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((at, name) => (isRecord(at) ? at[name] : undefined), values);
}

/** An object of values by path: `{"limits.agents": 5}` becomes `{limits: {agents: 5}}`. */
export function nested(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(values)) {
    const names = path.split(".");
    const last = names.pop() as string;
    let at = root;
    for (const name of names) {
      at[name] ??= {};
      at = at[name] as Record<string, unknown>;
    }
    at[last] = value;
  }
  return root;
}
