/** What a person chooses when they say how often an agent works, and the schedule that comes of it. */

import type { Schemas } from "@/api/client";
import { cronWords, parseCron } from "./cron";

export type Rhythm = "never" | "daily" | "weekdays" | "weekly" | "monthly" | "custom";

/** All answers at once, so that going back and forth between rhythms loses none. */
export interface Choice {
  rhythm: Rhythm;
  /** `HH:MM`, 24 hours. */
  time: string;
  /** Counted from Sunday, 0. */
  weekdays: readonly number[];
  /** Of the month. */
  day: number;
  /** Five fields, for `custom`. */
  cron: string;
}

const UNCHOSEN: Choice = { rhythm: "never", time: "09:00", weekdays: [1], day: 1, cron: "0 9 * * 1" };

/** The choice that leads to the schedule; null: it works only when asked. */
export function choiceOf(cron: string | null): Choice {
  if (cron === null) return UNCHOSEN;
  const custom: Choice = { ...UNCHOSEN, rhythm: "custom", cron };
  const parsed = parseCron(cron);
  if (!parsed) return custom;
  const { minutes, hours, days, months, weekdays } = parsed;
  if (minutes.length !== 1 || hours.length !== 1 || months.length !== 12) return custom;
  const known = { ...custom, time: `${two(hours[0])}:${two(minutes[0])}` };
  if (days.length === 31) {
    if (weekdays.length === 7) return { ...known, rhythm: "daily" };
    if (weekdays.join() === "1,2,3,4,5") return { ...known, rhythm: "weekdays" };
    return { ...known, rhythm: "weekly", weekdays };
  }
  const [day = 1] = days;
  return days.length === 1 && weekdays.length === 7 ? { ...known, rhythm: "monthly", day } : custom;
}

/** The five fields of a choice; null: it works only when asked. */
export function cronOf(choice: Choice): string | null {
  const [hour = 9, minute = 0] = choice.time.split(":").map(Number);
  const at = `${minute} ${hour}`;
  switch (choice.rhythm) {
    case "never":
      return null;
    case "daily":
      return `${at} * * *`;
    case "weekdays":
      return `${at} * * 1-5`;
    case "weekly":
      return `${at} * * ${[...choice.weekdays].sort((a, b) => a - b).join(",")}`;
    case "monthly":
      return `${at} ${choice.day} * *`;
    case "custom":
      return choice.cron.trim().replace(/\s+/g, " ");
  }
}

/** What is wrong with a choice before anybody is asked; null: nothing the page could know. */
export function problemOf(choice: Choice): string | null {
  if (choice.rhythm === "weekly" && choice.weekdays.length === 0) return "Choose at least one day.";
  if (choice.rhythm !== "never" && choice.rhythm !== "custom" && !choice.time) return "Choose a time.";
  if (choice.rhythm === "custom" && choice.cron.trim().split(/\s+/).length !== 5)
    return "A custom schedule has five fields: minute, hour, day of the month, month, day of the week.";
  return null;
}

/** The schedule to store; null: none. Its text is what the assistant will call it, too. */
export function scheduleOf(choice: Choice, timeZone: string): Schemas["Schedule"] | null {
  const cron = cronOf(choice);
  return cron === null ? null : { cron, time_zone: timeZone, text: cronWords(cron) ?? "" };
}

/** A stored schedule in words, without its time zone. */
export function scheduleWords(schedule: Schemas["Schedule"]): string {
  return cronWords(schedule.cron) ?? (schedule.text || `By the schedule ${schedule.cron}`);
}

/** Every time zone the browser knows, and those given. */
export function timeZones(...known: string[]): string[] {
  return [...new Set([...Intl.supportedValuesOf("timeZone"), "UTC", ...known])].sort();
}

export const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

function two(value = 0): string {
  return String(value).padStart(2, "0");
}
