/** Describes due dates and times. They are days and clocks of the task's own time zone, so nothing is converted. */

import { DAY_MS, localTimeZone } from "@/dates";

export type Urgency = "overdue" | "today" | "soon" | "later";

interface DueStatus {
  label: string;
  urgency: Urgency;
}

const SOON_DAYS = 7;

export function dueStatus(due: string, today: string): DueStatus {
  const days = Math.round((noon(due).getTime() - noon(today).getTime()) / DAY_MS);
  if (days < 0)
    return {
      label: `Overdue since ${days === -1 ? "yesterday" : formatDay(due, today)}`,
      urgency: "overdue",
    };
  if (days === 0) return { label: "Due today", urgency: "today" };
  if (days === 1) return { label: "Due tomorrow", urgency: "soon" };
  if (days < SOON_DAYS) return { label: `Due ${weekday.format(noon(due))}`, urgency: "soon" };
  return { label: `Due ${formatDay(due, today)}`, urgency: "later" };
}

/** The time of day of `YYYY-MM-DDThh:mm`, with its time zone if that is not the user's. */
export function dueTime(local: string, timeZone: string | null | undefined): string {
  const time = clock.format(new Date(`${local.slice(0, 16)}:00Z`));
  const isForeign = timeZone && timeZone !== localTimeZone();
  return isForeign ? `${time} (${timeZone.replaceAll("_", " ")})` : time;
}

const clock = new Intl.DateTimeFormat("en", { hour: "numeric", minute: "2-digit", timeZone: "UTC" });
const weekday = new Intl.DateTimeFormat("en", { weekday: "long", timeZone: "UTC" });
const dayInYear = new Intl.DateTimeFormat("en", { month: "short", day: "numeric", timeZone: "UTC" });
const dayWithYear = new Intl.DateTimeFormat("en", {
  month: "short",
  day: "numeric",
  year: "numeric",
  timeZone: "UTC",
});

function formatDay(day: string, today: string): string {
  const isThisYear = day.slice(0, 4) === today.slice(0, 4);
  return (isThisYear ? dayInYear : dayWithYear).format(noon(day));
}

const noon = (day: string): Date => new Date(`${day}T12:00:00Z`);
