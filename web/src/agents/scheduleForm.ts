/** Values of the schedule form, and their conversion from and to cron expressions. */

import type { Schemas } from "@/api/client";
import { describeCron, parseCron } from "./cron";

/** A schedule, of which the API sets whatever is left out. */
export type Schedule = Pick<Schemas["Schedule"], "cron"> & Partial<Schemas["Schedule"]>;

export type Frequency = "never" | "daily" | "weekdays" | "weekly" | "monthly" | "custom";

/** All fields at once, so that switching between frequencies loses none. */
export interface ScheduleFormValues {
  frequency: Frequency;
  /** `HH:MM` in 24 hours. */
  time: string;
  /** From Sunday, 0, to Saturday, 6. */
  weekdays: readonly number[];
  /** Day of the month. */
  day: number;
  /** The cron expression of a `custom` schedule. */
  cron: string;
}

const DEFAULT_VALUES: ScheduleFormValues = {
  frequency: "never",
  time: "09:00",
  weekdays: [1],
  day: 1,
  cron: "0 9 * * 1",
};

/** The form values for an agent's schedule. One that a cron expression alone can't say is `custom`. */
export function valuesOf(schedule: Schedule | null | undefined): ScheduleFormValues {
  const values = toFormValues(schedule?.cron ?? null);
  return schedule && !isOneCron(schedule) ? { ...values, frequency: "custom", cron: schedule.cron } : values;
}

/** The form values for a cron expression; null means that the agent runs only on request. */
export function toFormValues(cron: string | null): ScheduleFormValues {
  if (cron === null) return DEFAULT_VALUES;
  const custom: ScheduleFormValues = { ...DEFAULT_VALUES, frequency: "custom", cron };
  const parsed = parseCron(cron);
  if (!parsed) return custom;
  const { minutes, hours, days, months, weekdays } = parsed;
  if (minutes.length !== 1 || hours.length !== 1 || months.length !== 12) return custom;
  const known = { ...custom, time: `${twoDigits(hours[0])}:${twoDigits(minutes[0])}` };
  if (days.length === 31) {
    if (weekdays.length === 7) return { ...known, frequency: "daily" };
    if (weekdays.join() === "1,2,3,4,5") return { ...known, frequency: "weekdays" };
    return { ...known, frequency: "weekly", weekdays };
  }
  const [day = 1] = days;
  return days.length === 1 && weekdays.length === 7 ? { ...known, frequency: "monthly", day } : custom;
}

/** The cron expression of the form values; null if the agent runs only on request. */
export function toCron(values: ScheduleFormValues): string | null {
  const [hour = 9, minute = 0] = values.time.split(":").map(Number);
  const at = `${minute} ${hour}`;
  switch (values.frequency) {
    case "never":
      return null;
    case "daily":
      return `${at} * * *`;
    case "weekdays":
      return `${at} * * 1-5`;
    case "weekly":
      return `${at} * * ${[...values.weekdays].sort((a, b) => a - b).join(",")}`;
    case "monthly":
      return `${at} ${values.day} * *`;
    case "custom":
      return values.cron.trim().replace(/\s+/g, " ");
  }
}

/** What is wrong with the form values; null if the page finds no error. The API checks the rest. */
export function validateSchedule(values: ScheduleFormValues): string | null {
  if (values.frequency === "weekly" && values.weekdays.length === 0) return "Choose at least one day.";
  if (values.frequency !== "never" && values.frequency !== "custom" && !values.time) return "Choose a time.";
  if (values.frequency === "custom" && values.cron.trim().split(/\s+/).length !== 5)
    return "A custom schedule has five fields: minute, hour, day of the month, month, day of the week.";
  return null;
}

/**
 * The schedule to save, or null for none. The assistant uses its text as well. A custom cron expression that
 * is still the known schedule's keeps what else that one says, such as every other week.
 */
export function toSchedule(
  values: ScheduleFormValues,
  timeZone: string,
  known?: Schedule | null,
): Schedule | null {
  const cron = toCron(values);
  if (known && values.frequency === "custom" && cron === known.cron) return { ...known, time_zone: timeZone };
  return cron === null ? null : { cron, time_zone: timeZone, text: describeCron(cron) ?? "" };
}

/** Describes a saved schedule, without its time zone. */
export function scheduleLabel(schedule: Schedule): string {
  const known = isOneCron(schedule) ? describeCron(schedule.cron) : null;
  return known ?? (schedule.text || `By the schedule ${schedule.cron}`);
}

/** Whether its cron expression says all of a schedule but its zone. */
function isOneCron({ more_crons = [], every = 1, start, end }: Schedule): boolean {
  return more_crons.length === 0 && every === 1 && !start && !end;
}

/** All time zones the browser knows, and the given ones. */
export function timeZones(...known: string[]): string[] {
  return [...new Set([...Intl.supportedValuesOf("timeZone"), "UTC", ...known])].sort();
}

function twoDigits(value = 0): string {
  return String(value).padStart(2, "0");
}
