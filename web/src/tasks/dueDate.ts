/** Due days in words. A day is a day where the user is; no time zone is involved. */

export type Urgency = "overdue" | "today" | "soon" | "later";

export interface DueStatus {
  label: string;
  urgency: Urgency;
}

const SOON_DAYS = 7;
const DAY_MS = 86_400_000;

/** The user's own day as `YYYY-MM-DD`. */
export function isoDay(moment: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
}

/** How a due day stands to the present one; both `YYYY-MM-DD`. */
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

/** Milliseconds until the user's day ends. */
export function msUntilTomorrow(now: Date): number {
  const tomorrow = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
  return tomorrow.getTime() - now.getTime();
}

const weekday = new Intl.DateTimeFormat("en", { weekday: "long", timeZone: "UTC" });
const inYear = new Intl.DateTimeFormat("en", { month: "short", day: "numeric", timeZone: "UTC" });
const withYear = new Intl.DateTimeFormat("en", {
  month: "short",
  day: "numeric",
  year: "numeric",
  timeZone: "UTC",
});

function formatDay(day: string, today: string): string {
  const isThisYear = day.slice(0, 4) === today.slice(0, 4);
  return (isThisYear ? inYear : withYear).format(noon(day));
}

const noon = (day: string): Date => new Date(`${day}T12:00:00Z`);
