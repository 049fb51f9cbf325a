/** Calendar days and times in the user's own time zone. */

export const DAY_MS = 86_400_000;

/** Midnight at the start of the day. */
export const startOfDay = (moment: Date): Date =>
  new Date(moment.getFullYear(), moment.getMonth(), moment.getDate());

/** The day as `YYYY-MM-DD`. */
export function isoDay(moment: Date): string {
  const twoDigits = (value: number) => String(value).padStart(2, "0");
  return `${moment.getFullYear()}-${twoDigits(moment.getMonth() + 1)}-${twoDigits(moment.getDate())}`;
}

export function msUntilTomorrow(now: Date): number {
  const tomorrow = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
  return tomorrow.getTime() - now.getTime();
}

export const localTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
