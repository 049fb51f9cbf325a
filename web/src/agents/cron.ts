/** Parses five-field cron expressions as the API does, and describes them in English. */

interface CronFields {
  minutes: readonly number[];
  hours: readonly number[];
  days: readonly number[];
  months: readonly number[];
  /** From Sunday, 0, to Saturday, 6. */
  weekdays: readonly number[];
}

const LIMITS = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const;
/** Cron accepts both 0 and 7 for Sunday. */
const SUNDAY_AS_7 = 7;
const PART = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/;
const SHORT_DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

export const WEEKDAY_NAMES = [
  "Sunday",
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday",
] as const;

const MONTH_NAMES = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

/** The values that each field allows; null unless there are five valid fields. */
export function parseCron(text: string): CronFields | null {
  const fields = text.trim().split(/\s+/);
  if (fields.length !== LIMITS.length) return null;
  const values = fields.map((field, index) =>
    parseField(index === 4 ? replaceDayNames(field) : field, LIMITS[index] ?? [0, 0]),
  );
  const [minutes, hours, days, months, weekdays] = values;
  if (!minutes || !hours || !days || !months || !weekdays) return null;
  return { minutes, hours, days, months, weekdays: ascending(weekdays.map((day) => day % SUNDAY_AS_7)) };
}

function replaceDayNames(weekdays: string): string {
  return weekdays.toLowerCase().replace(/[a-z]{3}/g, (day) => {
    const index = SHORT_DAYS.indexOf(day);
    return index < 0 ? day : String(index);
  });
}

function parseField(field: string, limits: readonly [number, number]): readonly number[] | null {
  const all: number[] = [];
  for (const part of field.split(",")) {
    const values = parsePart(part, limits);
    if (!values) return null;
    all.push(...values);
  }
  return ascending(all);
}

function parsePart(part: string, [least, most]: readonly [number, number]): number[] | null {
  const match = PART.exec(part);
  if (!match) return null;
  const [low, high, step] = match.slice(1).map((text) => (text === undefined ? null : Number(text)));
  // In `5/10`, the range continues to the end of the field's limits.
  const end = most === SUNDAY_AS_7 ? 6 : most;
  const first = low ?? least;
  const last = high ?? (low == null || step != null ? end : low);
  if (step === 0 || first < least || first > last || last > most) return null;
  const values: number[] = [];
  for (let value = first; value <= last; value += step ?? 1) values.push(value);
  return values;
}

const ascending = (values: readonly number[]): number[] => [...new Set(values)].sort((a, b) => a - b);

const isEvery = (values: readonly number[], count: number) => values.length === count;

/** Describes the schedule, such as `Every Monday at 9:00 AM`; null if that would get too long. */
export function describeCron(text: string): string | null {
  const cron = parseCron(text);
  if (!cron) return null;
  const time = describeTime(cron);
  const days = time && (time.isInterval ? describeDaysOfInterval(cron) : describeDays(cron));
  if (!time || days === null) return null;
  return time.isInterval ? `${time.text}${days}` : `${days} ${time.text}`;
}

interface TimeOfDay {
  text: string;
  /** Whether the time repeats within a day, such as `Every 15 minutes`. */
  isInterval: boolean;
}

const FEW_TIMES = 2;
const MAX_TIMES = 4;

function describeTime({ minutes, hours }: CronFields): TimeOfDay | null {
  const isFew = minutes.length * hours.length <= FEW_TIMES;
  const interval = isFew ? null : describeInterval(minutes, hours);
  if (interval) return { text: interval, isInterval: true };
  const times = hours.flatMap((hour) => minutes.map((minute) => formatClockTime(hour, minute)));
  return times.length <= MAX_TIMES ? { text: `at ${joinWords(times)}`, isInterval: false } : null;
}

function describeInterval(minutes: readonly number[], hours: readonly number[]): string | null {
  const [minute = 0] = minutes;
  const everyHour = isEvery(hours, 24);
  const inMinutes = evenStep(minutes, 60);
  if (inMinutes) {
    const words = inMinutes === 1 ? "Every minute" : `Every ${inMinutes} minutes`;
    return everyHour ? words : withHourRange(words, hours, minutes);
  }
  if (minutes.length > 1) return null;
  const past = minute === 0 ? "" : ` at ${minute} past`;
  if (everyHour) return `Every hour${past}`;
  const inHours = evenStep(hours, 24);
  if (inHours) return `Every ${inHours} hours${past}`;
  return hours.length > 2 ? withHourRange("Every hour", hours, minutes) : null;
}

/** The distance between the values if they divide the range evenly from zero, otherwise null. */
function evenStep(values: readonly number[], size: number): number | null {
  if (values.length < 2 || size % values.length !== 0) return null;
  const step = size / values.length;
  return values.every((value, index) => value === index * step) ? step : null;
}

function withHourRange(text: string, hours: readonly number[], minutes: readonly number[]): string | null {
  const [first = 0] = hours;
  const last = hours.at(-1) ?? first;
  if (last - first !== hours.length - 1) return null;
  return `${text} from ${formatClockTime(first, minutes[0] ?? 0)} to ${formatClockTime(last, minutes.at(-1) ?? 0)}`;
}

/** `Daily`, `Every weekday`, `Monthly on the 1st`, …; null if there are too many days to list. */
function describeDays(cron: CronFields): string | null {
  const { days, months, weekdays } = cron;
  const someDays = !isEvery(days, 31);
  const someWeekdays = !isEvery(weekdays, 7);
  if (!someDays) {
    const words = someWeekdays ? `Every ${weekdayNames(weekdays)}` : "Daily";
    return isEvery(months, 12) ? words : `${words} in ${monthNames(months)}`;
  }
  if (days.length > MAX_TIMES) return null;
  const ordinals = joinWords(days.map(ordinal));
  const also = someWeekdays ? ` and every ${weekdayNames(weekdays)}` : "";
  if (isEvery(months, 12)) return `Monthly on the ${ordinals}${also}`;
  if (months.join() === "1,4,7,10") return `Quarterly on the ${ordinals}${also}`;
  if (months.length === 1) return `Yearly on the ${ordinals}${also} of ${monthNames(months)}`;
  return `On the ${ordinals}${also} of ${monthNames(months)}`;
}

/** The days of an interval; empty for every day. */
function describeDaysOfInterval(cron: CronFields): string | null {
  const { days, months, weekdays } = cron;
  if (!isEvery(days, 31)) {
    const words = describeDays(cron);
    return words && `, ${words.charAt(0).toLowerCase()}${words.slice(1)}`;
  }
  const on = isEvery(weekdays, 7) ? "" : ` on ${weekdayNames(weekdays, "s")}`;
  return isEvery(months, 12) ? on : `${on} in ${monthNames(months)}`;
}

function weekdayNames(weekdays: readonly number[], suffix = ""): string {
  if (weekdays.join() === "1,2,3,4,5") return `weekday${suffix}`;
  if (weekdays.join() === "0,6") return `weekend day${suffix}`;
  const fromMonday = [...weekdays].sort((a, b) => (a || 7) - (b || 7));
  return joinWords(fromMonday.map((day) => `${WEEKDAY_NAMES[day]}${suffix}`));
}

const monthNames = (months: readonly number[]): string =>
  joinWords(months.map((month) => MONTH_NAMES[month - 1] ?? ""));

/** `9:00 AM`. */
function formatClockTime(hour: number, minute: number): string {
  return `${hour % 12 || 12}:${String(minute).padStart(2, "0")} ${hour < 12 ? "AM" : "PM"}`;
}

/** `1st`, `2nd`, `11th`. */
function ordinal(day: number): string {
  const isTeen = day % 100 >= 11 && day % 100 <= 13;
  const suffix = isTeen ? "th" : (["th", "st", "nd", "rd"][day % 10] ?? "th");
  return `${day}${suffix}`;
}

// British English puts no comma before "and".
const list = new Intl.ListFormat("en-GB", { type: "conjunction" });

/** `Monday, Tuesday and Friday`. */
export const joinWords = (words: readonly string[]): string => list.format(words);
