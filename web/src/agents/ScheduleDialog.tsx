/** Dialog for the schedule of an agent: a common frequency or a cron expression. */

import { type FormEvent, useId, useState } from "react";
import { ApiError } from "@/api/apiError";
import { localTimeZone } from "@/dates";
import { announce } from "@/ui/Announcer";
import { Button, classNames, Field, Input } from "@/ui/Controls";
import { Dialog, DialogActions } from "@/ui/Dialog";
import styles from "./agents.module.css";
import { describeCron, WEEKDAY_NAMES } from "./cron";
import { type Agent, type AgentCard, useSaveSchedule } from "./queries";
import {
  type Frequency,
  type ScheduleFormValues,
  timeZones,
  toCron,
  toSchedule,
  validateSchedule,
  valuesOf,
} from "./scheduleForm";

const FREQUENCIES: readonly { frequency: Frequency; label: string }[] = [
  { frequency: "never", label: "Only when asked" },
  { frequency: "daily", label: "Daily" },
  { frequency: "weekdays", label: "Weekdays" },
  { frequency: "weekly", label: "Weekly" },
  { frequency: "monthly", label: "Monthly" },
  { frequency: "custom", label: "Custom" },
];

interface ScheduleDialogProps {
  card: AgentCard;
  agent: Agent;
  onClose: () => void;
}

export function ScheduleDialog({ card, agent, onClose }: ScheduleDialogProps) {
  const [values, setValues] = useState(() => valuesOf(agent.schedule));
  const [zone, setZone] = useState(agent.schedule?.time_zone ?? localTimeZone());
  const [validationError, setValidationError] = useState<string | null>(null);
  const save = useSaveSchedule(card);
  const errorId = useId();
  const problem = validationError ?? (save.error && sentenceCase(ApiError.from(save.error).message));
  const change = (part: Partial<ScheduleFormValues>) => {
    setValues({ ...values, ...part });
    setValidationError(null);
    save.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const error = validateSchedule(values);
    setValidationError(error);
    if (error) return;
    const schedule = toSchedule(values, zone, agent.schedule);
    save.mutate(schedule, {
      onSuccess: () => {
        announce(
          schedule ? `${card.name}: ${schedule.text || schedule.cron}` : `${card.name} has no schedule.`,
        );
        onClose();
      },
    });
  };
  return (
    <Dialog title={`When does ${card.name} work?`} onClose={onClose} testId="schedule-dialog">
      <form onSubmit={submit} aria-describedby={problem ? errorId : undefined}>
        <FrequencyPicker
          chosen={values.frequency}
          choose={(frequency) => change(initialValues(frequency, values))}
        />
        <ScheduleFields values={values} change={change} />
        {values.frequency !== "never" && (
          <TimeZoneSelect zone={zone} setZone={setZone} known={agent.schedule?.time_zone} />
        )}
        <p className={styles.preview} data-testid="schedule-words">
          {describeSchedule(values)}
        </p>
        {problem && (
          <p id={errorId} className={styles.problem} role="alert" data-testid="schedule-problem">
            {problem}
          </p>
        )}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" disabled={save.isPending} data-testid="schedule-save">
            {save.isPending ? "Saving…" : "Save"}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** The values to set with a frequency. A custom schedule starts as the cron expression of the previous values. */
function initialValues(frequency: Frequency, before: ScheduleFormValues): Partial<ScheduleFormValues> {
  return frequency === "custom" ? { frequency, cron: toCron(before) ?? before.cron } : { frequency };
}

function describeSchedule(values: ScheduleFormValues): string {
  const cron = toCron(values);
  if (cron === null) return "It works when you or somebody it is shared with asks it to.";
  return validateSchedule(values) ? "" : (describeCron(cron) ?? "");
}

const sentenceCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function FrequencyPicker({ chosen, choose }: { chosen: Frequency; choose: (frequency: Frequency) => void }) {
  return (
    <fieldset className={styles.frequencies}>
      <legend className="visually-hidden">How often</legend>
      {FREQUENCIES.map(({ frequency, label }) => (
        <label key={frequency} className={classNames(styles.chip, chosen === frequency && styles.chosen)}>
          <input
            type="radio"
            name="frequency"
            value={frequency}
            checked={chosen === frequency}
            onChange={() => choose(frequency)}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

function ScheduleFields({
  values,
  change,
}: {
  values: ScheduleFormValues;
  change: (part: Partial<ScheduleFormValues>) => void;
}) {
  if (values.frequency === "never") return null;
  if (values.frequency === "custom")
    return (
      <Field label="Minute, hour, day of the month, month, day of the week">
        <Input
          className={styles.cron}
          value={values.cron}
          spellCheck={false}
          autoComplete="off"
          maxLength={100}
          onChange={(event) => change({ cron: event.target.value })}
          data-testid="schedule-cron"
        />
      </Field>
    );
  return (
    <>
      {values.frequency === "weekly" && <WeekdayPicker chosen={values.weekdays} change={change} />}
      <div className={styles.row}>
        {values.frequency === "monthly" && <DayOfMonth day={values.day} change={change} />}
        <Field label="At">
          <Input
            type="time"
            value={values.time}
            onChange={(event) => change({ time: event.target.value })}
            data-testid="schedule-time"
          />
        </Field>
      </div>
      {values.frequency === "monthly" && values.day > 28 && (
        <p className={styles.hint}>Months without this day are left out.</p>
      )}
    </>
  );
}

const FROM_MONDAY = [1, 2, 3, 4, 5, 6, 0];

function WeekdayPicker(props: {
  chosen: readonly number[];
  change: (part: Partial<ScheduleFormValues>) => void;
}) {
  const { chosen, change } = props;
  const toggle = (day: number) =>
    change({ weekdays: chosen.includes(day) ? chosen.filter((each) => each !== day) : [...chosen, day] });
  return (
    <fieldset className={styles.weekdays}>
      <legend>On</legend>
      {FROM_MONDAY.map((day) => (
        <label key={day} className={classNames(styles.chip, chosen.includes(day) && styles.chosen)}>
          <input type="checkbox" checked={chosen.includes(day)} onChange={() => toggle(day)} />
          <span aria-hidden>{WEEKDAY_NAMES[day]?.slice(0, 2)}</span>
          <span className="visually-hidden">{WEEKDAY_NAMES[day]}</span>
        </label>
      ))}
    </fieldset>
  );
}

function DayOfMonth({ day, change }: { day: number; change: (part: Partial<ScheduleFormValues>) => void }) {
  return (
    <Field label="On day">
      <Input
        type="number"
        min={1}
        max={31}
        required
        value={day || ""}
        onChange={(event) => change({ day: event.target.valueAsNumber || 0 })}
        data-testid="schedule-day"
      />
    </Field>
  );
}

function TimeZoneSelect(props: { zone: string; setZone: (zone: string) => void; known: string | undefined }) {
  const [zones] = useState(() => timeZones(localTimeZone(), ...(props.known ? [props.known] : [])));
  return (
    <Field label="Time zone">
      <select
        className={styles.select}
        value={props.zone}
        onChange={(event) => props.setZone(event.target.value)}
        data-testid="schedule-zone"
      >
        {zones.map((zone) => (
          <option key={zone} value={zone}>
            {zone.replaceAll("_", " ")}
          </option>
        ))}
      </select>
    </Field>
  );
}
