/** Formats the time of a search hit as briefly as possible. */

const time = new Intl.DateTimeFormat("en", { hour: "numeric", minute: "2-digit" });
const day = new Intl.DateTimeFormat("en", { day: "numeric", month: "short" });
const dayAndYear = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", year: "numeric" });

/** The time if the moment is today, otherwise the date, in the user's time zone. */
export function formatTime(moment: string, now = new Date()): string {
  const then = new Date(moment);
  if (then.toDateString() === now.toDateString()) return time.format(then);
  return then.getFullYear() === now.getFullYear() ? day.format(then) : dayAndYear.format(then);
}
