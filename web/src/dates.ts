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

/** Where the user's choice of a time zone is stored. */
export const TIME_ZONE_KEY = "time-zone";

let chosenTimeZone: string | null = null;

/** Sets the user's time zone; null: the browser's. */
export function chooseTimeZone(zone: string | null): void {
  chosenTimeZone = zone;
}

export const browserTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The user's time zone: the one they chose, or the browser's. */
export const localTimeZone = (): string => chosenTimeZone ?? browserTimeZone();
