// Writes src/api/fields.json: what the forms need to know of the API's request bodies, from its description.
import { readFileSync, writeFileSync } from "node:fs";

const SCHEMAS = [
  "AgentSpec",
  "AgentChange",
  "SkillSpec",
  "SkillChange",
  "PolicyChange",
  "AnswerSpec",
  "NewTenant",
];
const { schemas } = JSON.parse(readFileSync("../layers/edge/edge/routes/openapi.json", "utf8")).components;
const CONSTRAINTS = ["minimum", "maximum", "minLength", "maxLength", "maxItems", "pattern"];

/** The schema behind references and `null`. */
function resolve(property) {
  const options = (property.anyOf ?? [property]).filter((each) => each.type !== "null");
  const [option = {}] = options;
  const nullable = Boolean(property.anyOf?.some((each) => each.type === "null"));
  const reference = option.$ref ?? option.allOf?.[0]?.$ref;
  const schema = reference ? schemas[reference.split("/").at(-1)] : option;
  return { schema, nullable };
}

function pick(schema) {
  return Object.fromEntries(CONSTRAINTS.filter((name) => name in schema).map((name) => [name, schema[name]]));
}

function describe(property) {
  const { schema, nullable } = resolve(property);
  const base = { ...(nullable ? { nullable } : {}), ...pick(schema) };
  if (schema.enum) return { kind: "choice", ...base, options: schema.enum };
  if (schema.type === "array") {
    const { schema: item } = resolve(schema.items ?? {});
    return { kind: "list", ...base, item: { ...pick(item), ...(item.enum ? { options: item.enum } : {}) } };
  }
  if (schema.type === "boolean") return { kind: "flag", ...base };
  if (schema.type === "integer" || schema.type === "number") return { kind: schema.type, ...base };
  if (schema.type === "string") return { kind: "text", ...base };
  return null;
}

/** The fields of a schema; those of objects within it as `limits.agents`. */
function fieldsOf(schema, prefix = "", isOptional = false) {
  const required = new Set(isOptional ? [] : (schema.required ?? []));
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const { schema: inner } = resolve(property);
    if (inner.properties) return fieldsOf(inner, `${prefix}${name}.`, !required.has(name));
    const described = describe(property);
    if (!described) return [];
    return [[`${prefix}${name}`, { ...described, ...(required.has(name) ? { required: true } : {}) }]];
  });
}

const fields = Object.fromEntries(SCHEMAS.map((name) => [name, Object.fromEntries(fieldsOf(schemas[name]))]));
writeFileSync("src/api/fields.json", `${JSON.stringify(fields, null, 2)}\n`);
