/** What a person chooses when they say how often an agent works, and the schedule that comes of it. */

import type { Schemas } from "@/api/client";
import { describeCron, parseCron } from "./cron";

export type Frequency = "never" | "daily" | "weekdays" | "weekly" | "monthly" | "custom";

/** All answers at once, so that going back and forth between rhythms loses none. */
export interface ScheduleFormValues {
  frequency: Frequency;
  /** `HH:MM`, 24 hours. */
  time: string;
  /** Counted from Sunday, 0. */
  weekdays: readonly number[];
  /** Of the month. */
  day: number;
  /** Five fields, for `custom`. */
  cron: string;
}

const DEFAULT_VALUES: ScheduleFormValues = {
  frequency: "never",
  time: "09:00",
  weekdays: [1],
  day: 1,
  cron: "0 9 * * 1",
};

/** The values that leads to the schedule; null: it works only when asked. */
export function toFormValues(cron: string | null): ScheduleFormValues {
  if (cron === null) return DEFAULT_VALUES;
  const custom: ScheduleFormValues = { ...DEFAULT_VALUES, frequency: "custom", cron };
  const parsed = parseCron(cron);
  if (!parsed) return custom;
  const { minutes, hours, days, months, weekdays } = parsed;
  if (minutes.length !== 1 || hours.length !== 1 || months.length !== 12) return custom;
  const known = { ...custom, time: `${two(hours[0])}:${two(minutes[0])}` };
  if (days.length === 31) {
    if (weekdays.length === 7) return { ...known, frequency: "daily" };
    if (weekdays.join() === "1,2,3,4,5") return { ...known, frequency: "weekdays" };
    return { ...known, frequency: "weekly", weekdays };
  }
  const [day = 1] = days;
  return days.length === 1 && weekdays.length === 7 ? { ...known, frequency: "monthly", day } : custom;
}

/** The five fields of a values; null: it works only when asked. */
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

/** What is wrong with a values before anybody is asked; null: nothing the page could know. */
export function validateSchedule(values: ScheduleFormValues): string | null {
  if (values.frequency === "weekly" && values.weekdays.length === 0) return "Choose at least one day.";
  if (values.frequency !== "never" && values.frequency !== "custom" && !values.time) return "Choose a time.";
  if (values.frequency === "custom" && values.cron.trim().split(/\s+/).length !== 5)
    return "A custom schedule has five fields: minute, hour, day of the month, month, day of the week.";
  return null;
}

/** The schedule to store; null: none. Its text is what the assistant will call it, too. */
export function toSchedule(values: ScheduleFormValues, timeZone: string): Schemas["Schedule"] | null {
  const cron = toCron(values);
  return cron === null ? null : { cron, time_zone: timeZone, text: describeCron(cron) ?? "" };
}

/** A stored schedule in words, without its time zone. */
export function scheduleLabel(schedule: Schemas["Schedule"]): string {
  return describeCron(schedule.cron) ?? (schedule.text || `By the schedule ${schedule.cron}`);
}

/** Every time zone the browser knows, and those given. */
export function timeZones(...known: string[]): string[] {
  return [...new Set([...Intl.supportedValuesOf("timeZone"), "UTC", ...known])].sort();
}

export const localTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

function two(value = 0): string {
  return String(value).padStart(2, "0");
}
