/** When something was said, as short as it can be told. */

const time = new Intl.DateTimeFormat("en", { hour: "numeric", minute: "2-digit" });
const day = new Intl.DateTimeFormat("en", { day: "numeric", month: "short" });
const dayAndYear = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", year: "numeric" });

/** The time today, else the day, by the user's own calendar. */
export function shortTime(moment: string, now = new Date()): string {
  const then = new Date(moment);
  if (then.toDateString() === now.toDateString()) return time.format(then);
  return then.getFullYear() === now.getFullYear() ? day.format(then) : dayAndYear.format(then);
}
