/** Schedules of five cron fields, as the API reads them: what they say in words. */

export interface CronFields {
  minutes: readonly number[];
  hours: readonly number[];
  days: readonly number[];
  months: readonly number[];
  /** Counted from Sunday, 0. */
  weekdays: readonly number[];
}

const LIMITS = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const;
const SUNDAY_TOO = 7;
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

/** The values every field allows; null: not five valid fields. */
export function parseCron(text: string): CronFields | null {
  const fields = text.trim().split(/\s+/);
  if (fields.length !== LIMITS.length) return null;
  const values = fields.map((field, index) =>
    valuesOf(index === 4 ? numbered(field) : field, LIMITS[index] ?? [0, 0]),
  );
  const [minutes, hours, days, months, weekdays] = values;
  if (!minutes || !hours || !days || !months || !weekdays) return null;
  return { minutes, hours, days, months, weekdays: ascending(weekdays.map((day) => day % SUNDAY_TOO)) };
}

function numbered(weekdays: string): string {
  return weekdays.toLowerCase().replace(/[a-z]{3}/g, (day) => {
    const index = SHORT_DAYS.indexOf(day);
    return index < 0 ? day : String(index);
  });
}

function valuesOf(field: string, limits: readonly [number, number]): readonly number[] | null {
  const found: number[] = [];
  for (const part of field.split(",")) {
    const values = partOf(part, limits);
    if (!values) return null;
    found.push(...values);
  }
  return ascending(found);
}

function partOf(part: string, [least, most]: readonly [number, number]): number[] | null {
  const match = PART.exec(part);
  if (!match) return null;
  const [low, high, step] = match.slice(1).map((text) => (text === undefined ? null : Number(text)));
  // A step after a single number goes on to the end of the field's range.
  const end = most === SUNDAY_TOO ? 6 : most;
  const first = low ?? least;
  const last = high ?? (low == null || step != null ? end : low);
  if (step === 0 || first < least || first > last || last > most) return null;
  const values: number[] = [];
  for (let value = first; value <= last; value += step ?? 1) values.push(value);
  return values;
}

const ascending = (values: readonly number[]): number[] => [...new Set(values)].sort((a, b) => a - b);

const isEvery = (values: readonly number[], count: number) => values.length === count;

/** The schedule in words, such as `Every Monday at 9:00 AM`; null: words would be longer than the expression. */
export function describeCron(text: string): string | null {
  const cron = parseCron(text);
  if (!cron) return null;
  const clock = clockOf(cron);
  const days = clock && (clock.isInterval ? onDays(cron) : eachDay(cron));
  if (!clock || days === null) return null;
  return clock.isInterval ? `${clock.words}${days}` : `${days} ${clock.words}`;
}

interface Clock {
  words: string;
  /** It comes again and again within a day. */
  isInterval: boolean;
}

const FEW_TIMES = 2;
const MOST_TIMES = 4;

function clockOf({ minutes, hours }: CronFields): Clock | null {
  const isFew = minutes.length * hours.length <= FEW_TIMES;
  const interval = isFew ? null : intervalOf(minutes, hours);
  if (interval) return { words: interval, isInterval: true };
  const times = hours.flatMap((hour) => minutes.map((minute) => formatClockTime(hour, minute)));
  return times.length <= MOST_TIMES ? { words: `at ${listed(times)}`, isInterval: false } : null;
}

function intervalOf(minutes: readonly number[], hours: readonly number[]): string | null {
  const [minute = 0] = minutes;
  const everyHour = isEvery(hours, 24);
  const inMinutes = evenSteps(minutes, 60);
  if (inMinutes) {
    const words = inMinutes === 1 ? "Every minute" : `Every ${inMinutes} minutes`;
    return everyHour ? words : between(words, hours, minutes);
  }
  if (minutes.length > 1) return null;
  const past = minute === 0 ? "" : ` at ${minute} past`;
  if (everyHour) return `Every hour${past}`;
  const inHours = evenSteps(hours, 24);
  if (inHours) return `Every ${inHours} hours${past}`;
  return hours.length > 2 ? between("Every hour", hours, minutes) : null;
}

/** How far apart the values lie, when they go round evenly from zero; null: they don't. */
function evenSteps(values: readonly number[], size: number): number | null {
  if (values.length < 2 || size % values.length !== 0) return null;
  const step = size / values.length;
  return values.every((value, index) => value === index * step) ? step : null;
}

function between(words: string, hours: readonly number[], minutes: readonly number[]): string | null {
  const [first = 0] = hours;
  const last = hours.at(-1) ?? first;
  if (last - first !== hours.length - 1) return null;
  return `${words} from ${formatClockTime(first, minutes[0] ?? 0)} to ${formatClockTime(last, minutes.at(-1) ?? 0)}`;
}

/** `Daily`, `Every weekday`, `Monthly on the 1st`, …; null: too many days to name. */
function eachDay(cron: CronFields): string | null {
  const { days, months, weekdays } = cron;
  const someDays = !isEvery(days, 31);
  const someWeekdays = !isEvery(weekdays, 7);
  if (!someDays) {
    const words = someWeekdays ? `Every ${weekdayWords(weekdays)}` : "Daily";
    return isEvery(months, 12) ? words : `${words} in ${monthWords(months)}`;
  }
  if (days.length > MOST_TIMES) return null;
  const ordinals = listed(days.map(ordinal));
  const also = someWeekdays ? ` and every ${weekdayWords(weekdays)}` : "";
  if (isEvery(months, 12)) return `Monthly on the ${ordinals}${also}`;
  if (months.join() === "1,4,7,10") return `Quarterly on the ${ordinals}${also}`;
  if (months.length === 1) return `Yearly on the ${ordinals}${also} of ${monthWords(months)}`;
  return `On the ${ordinals}${also} of ${monthWords(months)}`;
}

/** The days of something that comes again and again within them; empty: every day. */
function onDays(cron: CronFields): string | null {
  const { days, months, weekdays } = cron;
  if (!isEvery(days, 31)) {
    const words = eachDay(cron);
    return words && `, ${words.charAt(0).toLowerCase()}${words.slice(1)}`;
  }
  const on = isEvery(weekdays, 7) ? "" : ` on ${weekdayWords(weekdays, "s")}`;
  return isEvery(months, 12) ? on : `${on} in ${monthWords(months)}`;
}

function weekdayWords(weekdays: readonly number[], ending = ""): string {
  if (weekdays.join() === "1,2,3,4,5") return `weekday${ending}`;
  if (weekdays.join() === "0,6") return `weekend day${ending}`;
  const fromMonday = [...weekdays].sort((a, b) => (a || 7) - (b || 7));
  return listed(fromMonday.map((day) => `${WEEKDAY_NAMES[day]}${ending}`));
}

const monthWords = (months: readonly number[]): string =>
  listed(months.map((month) => MONTH_NAMES[month - 1] ?? ""));

/** `9:00 AM`. */
export function formatClockTime(hour: number, minute: number): string {
  return `${hour % 12 || 12}:${String(minute).padStart(2, "0")} ${hour < 12 ? "AM" : "PM"}`;
}

/** `1st`, `2nd`, `11th`. */
export function ordinal(day: number): string {
  const isTeen = day % 100 >= 11 && day % 100 <= 13;
  const ending = isTeen ? "th" : (["th", "st", "nd", "rd"][day % 10] ?? "th");
  return `${day}${ending}`;
}

/** `Monday, Tuesday and Friday`. */
export function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}
