import { expect, test } from "vitest";
import {
  scheduleLabel,
  timeZones,
  toCron,
  toFormValues,
  toSchedule,
  validateSchedule,
  valuesOf,
} from "@/agents/scheduleForm";

test.each([
  ["0 9 * * *", { frequency: "daily", time: "09:00" }],
  ["5 17 * * 1-5", { frequency: "weekdays", time: "17:05" }],
  ["5 17 * * mon-fri", { frequency: "weekdays", time: "17:05" }],
  ["0 9 * * 1,4", { frequency: "weekly", weekdays: [1, 4] }],
  ["0 9 * * 7", { frequency: "weekly", weekdays: [0] }],
  ["30 7 31 * *", { frequency: "monthly", day: 31, time: "07:30" }],
  ["30 7 1,15 * *", { frequency: "custom", cron: "30 7 1,15 * *" }],
  ["*/15 * * * *", { frequency: "custom" }],
  ["0 9 1 * 1", { frequency: "custom" }],
  ["0 9 * 6 *", { frequency: "custom" }],
  ["nonsense", { frequency: "custom", cron: "nonsense" }],
])("%s is offered as what it is", (cron, values) => {
  expect(toFormValues(cron)).toMatchObject(values);
});

test.each(["0 9 * * *", "5 17 * * 1-5", "0 9 * * 1,4", "30 7 31 * *", "*/15 8-18 * * 1-5"])(
  "opening and saving %s changes nothing",
  (cron) => {
    expect(toCron(toFormValues(cron))).toBe(cron);
  },
);

test("an agent without a schedule works only when asked, and stays so", () => {
  expect(toFormValues(null).frequency).toBe("never");
  expect(toSchedule(toFormValues(null), "UTC")).toBeNull();
});

test("a schedule is stored with its zone and with words for the assistant", () => {
  const values = { ...toFormValues("0 9 * * 1"), time: "16:45", weekdays: [5, 1] };
  expect(toSchedule(values, "Europe/Berlin")).toEqual({
    cron: "45 16 * * 1,5",
    time_zone: "Europe/Berlin",
    text: "Every Monday and Friday at 4:45 PM",
  });
});

test("a values that can't be stored says what is missing", () => {
  const values = toFormValues("0 9 * * 1");
  expect(validateSchedule(values)).toBeNull();
  expect(validateSchedule({ ...values, weekdays: [] })).toContain("one day");
  expect(validateSchedule({ ...values, time: "" })).toContain("time");
  expect(validateSchedule({ ...values, frequency: "custom", cron: "0 9 * *" })).toContain("five fields");
  expect(validateSchedule({ ...values, frequency: "never", time: "" })).toBeNull();
});

test("a schedule that has no words is told by its text, else by its fields", () => {
  const schedule = { cron: "0 9 */2 * *", time_zone: "UTC", text: "Every other day at 9:00 AM" };
  expect(scheduleLabel(schedule)).toBe("Every other day at 9:00 AM");
  expect(scheduleLabel({ ...schedule, text: "" })).toContain("0 9 */2 * *");
});

test("the fields count, not an old text", () => {
  expect(scheduleLabel({ cron: "0 9 * * 1", time_zone: "UTC", text: "Daily" })).toBe(
    "Every Monday at 9:00 AM",
  );
});

test("the zone that is set can be kept, known to the browser or not", () => {
  expect(timeZones("Mars/Olympus")).toEqual(expect.arrayContaining(["Mars/Olympus", "UTC", "Europe/Berlin"]));
});

test("a schedule that skips weeks is told by its text, and opening and saving it changes nothing", () => {
  const schedule = {
    cron: "0 16 * * 5",
    every: 2,
    start: "2026-03-06T00:00:00",
    time_zone: "UTC",
    text: "Every other Friday at 4:00 PM",
  };
  expect(scheduleLabel(schedule)).toBe(schedule.text);
  const values = valuesOf(schedule);
  expect(toSchedule(values, "UTC", schedule)).toEqual(schedule);
  expect(
    toSchedule({ ...values, frequency: "weekly", weekdays: [5], time: "16:00" }, "UTC", schedule),
  ).toEqual({
    cron: "0 16 * * 5",
    time_zone: "UTC",
    text: "Every Friday at 4:00 PM",
  });
});
