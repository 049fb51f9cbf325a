/** One field of a form: the control that fits the API's rules for it, with its label and hint. */

import { useId } from "react";
import { timeZones } from "@/agents/scheduleForm";
import { localTimeZone } from "@/dates";
import { classNames, Input, TextArea } from "@/ui/Controls";
import uiStyles from "@/ui/ui.module.css";
import { ColorField, ImageField } from "./BrandFields";
import type { ControlValue, FieldRules } from "./fields";
import styles from "./forms.module.css";

export interface FieldSpec {
  name: string;
  label: string;
  hint?: string;
  /** A control other than the one for the kind. */
  control?: "zone" | "long" | "color" | "image";
  /** Words for the options of a choice. */
  options?: Readonly<Record<string, string>>;
  suggestions?: readonly string[];
}

interface FormFieldProps {
  spec: FieldSpec;
  rules: FieldRules;
  value: ControlValue;
  onChange: (value: ControlValue) => void;
  /** What somebody else set meanwhile. */
  conflict: ControlValue | undefined;
}

export function FormField(props: FormFieldProps) {
  const { spec, rules, conflict } = props;
  const id = useId();
  const hints = [spec.hint, conflict !== undefined && `Set meanwhile to: ${readable(conflict)}`].filter(
    Boolean,
  );
  const described = hints.length > 0 ? { "aria-describedby": `${id}-hint` } : {};
  const Control = rules.kind === "flag" ? FlagField : rules.item?.options ? ManyField : SingleField;
  return (
    <div className={classNames(styles.field, conflict !== undefined && styles.conflict)}>
      <Control {...props} id={id} described={described} />
      {hints.length > 0 && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hints.join(" ")}
        </p>
      )}
    </div>
  );
}

type ControlProps = FormFieldProps & { id: string; described: { "aria-describedby"?: string } };

function FlagField({ spec, value, onChange, id, described }: ControlProps) {
  return (
    <label className={styles.flag} htmlFor={id}>
      <input
        id={id}
        type="checkbox"
        checked={value === true}
        onChange={(event) => onChange(event.target.checked)}
        data-testid={`field-${spec.name}`}
        {...described}
      />
      {spec.label}
    </label>
  );
}

/** Any number of given options. */
function ManyField({ spec, rules, value, onChange, id, described }: ControlProps) {
  const chosen = Array.isArray(value) ? value.map(String) : [];
  const toggle = (option: string) =>
    onChange(chosen.includes(option) ? chosen.filter((each) => each !== option) : [...chosen, option]);
  return (
    <fieldset className={styles.many} {...described}>
      <legend>{spec.label}</legend>
      {rules.item?.options?.map((option) => (
        <label key={option} htmlFor={`${id}-${option}`}>
          <input
            id={`${id}-${option}`}
            type="checkbox"
            checked={chosen.includes(option)}
            onChange={() => toggle(option)}
            data-testid={`field-${spec.name}-${option}`}
          />
          {spec.options?.[option] ?? option}
        </label>
      ))}
    </fieldset>
  );
}

function SingleField(props: ControlProps) {
  const { spec, id } = props;
  return (
    <>
      <label className={styles.label} htmlFor={id}>
        {spec.label}
      </label>
      <SingleControl {...props} />
    </>
  );
}

function SingleControl({ spec, rules, value, onChange, id, described }: ControlProps) {
  const common = { id, value: String(value), "data-testid": `field-${spec.name}`, ...described };
  const onInput = (event: { target: { value: string } }) => onChange(event.target.value);
  const required = rules.required === true || (rules.minLength ?? 0) > 0;
  const brand = { id, name: spec.name, label: spec.label, value: String(value), onChange };
  if (spec.control === "color") return <ColorField {...brand} />;
  if (spec.control === "image") return <ImageField {...brand} maxLength={rules.maxLength ?? 0} />;
  if (rules.kind === "choice" || spec.control === "zone")
    return (
      <select className={uiStyles.input} {...common} onChange={onInput}>
        {(rules.nullable || value === "") && <option value="">{spec.options?.[""] ?? "–"}</option>}
        {optionsOf(spec, rules, String(value)).map((option) => (
          <option key={option} value={option}>
            {spec.options?.[option] ?? option.replaceAll("_", " ")}
          </option>
        ))}
      </select>
    );
  if (rules.kind === "integer" || rules.kind === "number")
    return (
      <Input
        type="number"
        {...common}
        step={rules.kind === "integer" ? 1 : "any"}
        {...(rules.minimum === undefined ? {} : { min: rules.minimum })}
        {...(rules.maximum === undefined ? {} : { max: rules.maximum })}
        required={!rules.nullable}
        placeholder={spec.options?.[""] ?? ""}
        onChange={onInput}
      />
    );
  if (rules.kind === "list" || spec.control === "long" || (rules.maxLength ?? 0) > 500)
    return (
      <TextArea
        rows={rules.kind === "list" ? 3 : 4}
        {...common}
        required={required}
        {...(rules.kind === "text" && rules.maxLength ? { maxLength: rules.maxLength } : {})}
        placeholder={spec.options?.[""] ?? ""}
        onChange={onInput}
      />
    );
  return (
    <>
      <Input
        {...common}
        dir="auto"
        autoComplete="off"
        required={required && !rules.nullable}
        {...(rules.maxLength ? { maxLength: rules.maxLength } : {})}
        {...(spec.suggestions ? { list: `${id}-list` } : {})}
        onChange={onInput}
      />
      {spec.suggestions && (
        <datalist id={`${id}-list`}>
          {spec.suggestions.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
    </>
  );
}

function optionsOf(spec: FieldSpec, rules: FieldRules, value: string): readonly string[] {
  if (spec.control === "zone") return timeZones(localTimeZone(), ...(value ? [value] : []));
  return rules.options ?? [];
}

/** A value in words. */
function readable(value: ControlValue): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string" && value.startsWith("data:image/")) return "another picture";
  const text = typeof value === "string" ? value.replaceAll("\n", ", ") : value.join(", ");
  return text || "nothing";
}
