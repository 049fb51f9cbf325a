/** When an agent works by itself: a few usual rhythms, or five cron fields. */

import { type FormEvent, useId, useState } from "react";
import { ApiError } from "@/api/apiError";
import { announce } from "@/ui/announcer";
import { Button, classes, Field, Input } from "@/ui/Controls";
import { Dialog, DialogActions } from "@/ui/Dialog";
import styles from "./agents.module.css";
import { cronWords, WEEKDAY_NAMES } from "./cron";
import { type Agent, type Card, useSchedule } from "./queries";
import {
  type Choice,
  choiceOf,
  cronOf,
  ownTimeZone,
  problemOf,
  type Rhythm,
  scheduleOf,
  timeZones,
} from "./scheduleForm";

const RHYTHMS: readonly { rhythm: Rhythm; label: string }[] = [
  { rhythm: "never", label: "Only when asked" },
  { rhythm: "daily", label: "Daily" },
  { rhythm: "weekdays", label: "Weekdays" },
  { rhythm: "weekly", label: "Weekly" },
  { rhythm: "monthly", label: "Monthly" },
  { rhythm: "custom", label: "Custom" },
];

interface DialogProps {
  card: Card;
  agent: Agent;
  onClose: () => void;
}

export function ScheduleDialog({ card, agent, onClose }: DialogProps) {
  const [choice, setChoice] = useState(() => choiceOf(agent.schedule?.cron ?? null));
  const [zone, setZone] = useState(agent.schedule?.time_zone ?? ownTimeZone());
  const [complaint, complain] = useState<string | null>(null);
  const save = useSchedule(card);
  const errorId = useId();
  const problem = complaint ?? (save.error && sentence(ApiError.from(save.error).message));
  const change = (part: Partial<Choice>) => {
    setChoice({ ...choice, ...part });
    complain(null);
    save.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wrong = problemOf(choice);
    complain(wrong);
    if (wrong) return;
    const schedule = scheduleOf(choice, zone);
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
        <Rhythms chosen={choice.rhythm} choose={(rhythm) => change(beginning(rhythm, choice))} />
        <Details choice={choice} change={change} />
        {choice.rhythm !== "never" && (
          <Zone zone={zone} setZone={setZone} known={agent.schedule?.time_zone} />
        )}
        <p className={styles.preview} data-testid="schedule-words">
          {inWords(choice)}
        </p>
        {problem && (
          <p id={errorId} className={styles.problem} role="alert" data-testid="schedule-problem">
            {problem}
          </p>
        )}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" disabled={save.isPending} data-testid="schedule-save">
            {save.isPending ? "Saving…" : "Save"}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** What is chosen with a rhythm; five fields begin with what was chosen so far. */
function beginning(rhythm: Rhythm, before: Choice): Partial<Choice> {
  return rhythm === "custom" ? { rhythm, cron: cronOf(before) ?? before.cron } : { rhythm };
}

function inWords(choice: Choice): string {
  const cron = cronOf(choice);
  if (cron === null) return "It works when you or somebody it is shared with asks it to.";
  return problemOf(choice) ? "" : (cronWords(cron) ?? "");
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function Rhythms({ chosen, choose }: { chosen: Rhythm; choose: (rhythm: Rhythm) => void }) {
  return (
    <fieldset className={styles.rhythms}>
      <legend className="visually-hidden">How often</legend>
      {RHYTHMS.map(({ rhythm, label }) => (
        <label key={rhythm} className={classes(styles.chip, chosen === rhythm && styles.chosen)}>
          <input
            type="radio"
            name="rhythm"
            value={rhythm}
            checked={chosen === rhythm}
            onChange={() => choose(rhythm)}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

function Details({ choice, change }: { choice: Choice; change: (part: Partial<Choice>) => void }) {
  if (choice.rhythm === "never") return null;
  if (choice.rhythm === "custom")
    return (
      <Field label="Minute, hour, day of the month, month, day of the week">
        <Input
          className={styles.cron}
          value={choice.cron}
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
      {choice.rhythm === "weekly" && <Weekdays chosen={choice.weekdays} change={change} />}
      <div className={styles.row}>
        {choice.rhythm === "monthly" && <DayOfMonth day={choice.day} change={change} />}
        <Field label="At">
          <Input
            type="time"
            value={choice.time}
            onChange={(event) => change({ time: event.target.value })}
            data-testid="schedule-time"
          />
        </Field>
      </div>
      {choice.rhythm === "monthly" && choice.day > 28 && (
        <p className={styles.hint}>Months without this day are left out.</p>
      )}
    </>
  );
}

const FROM_MONDAY = [1, 2, 3, 4, 5, 6, 0];

function Weekdays(props: { chosen: readonly number[]; change: (part: Partial<Choice>) => void }) {
  const { chosen, change } = props;
  const toggle = (day: number) =>
    change({ weekdays: chosen.includes(day) ? chosen.filter((each) => each !== day) : [...chosen, day] });
  return (
    <fieldset className={styles.weekdays}>
      <legend>On</legend>
      {FROM_MONDAY.map((day) => (
        <label key={day} className={classes(styles.chip, chosen.includes(day) && styles.chosen)}>
          <input type="checkbox" checked={chosen.includes(day)} onChange={() => toggle(day)} />
          <span aria-hidden>{WEEKDAY_NAMES[day]?.slice(0, 2)}</span>
          <span className="visually-hidden">{WEEKDAY_NAMES[day]}</span>
        </label>
      ))}
    </fieldset>
  );
}

function DayOfMonth({ day, change }: { day: number; change: (part: Partial<Choice>) => void }) {
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

function Zone(props: { zone: string; setZone: (zone: string) => void; known: string | undefined }) {
  const [zones] = useState(() => timeZones(ownTimeZone(), ...(props.known ? [props.known] : [])));
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
