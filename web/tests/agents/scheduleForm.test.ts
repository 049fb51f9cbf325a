import { expect, test } from "vitest";
import { choiceOf, cronOf, problemOf, scheduleOf, scheduleWords, timeZones } from "@/agents/scheduleForm";

test.each([
  ["0 9 * * *", { rhythm: "daily", time: "09:00" }],
  ["5 17 * * 1-5", { rhythm: "weekdays", time: "17:05" }],
  ["5 17 * * mon-fri", { rhythm: "weekdays", time: "17:05" }],
  ["0 9 * * 1,4", { rhythm: "weekly", weekdays: [1, 4] }],
  ["0 9 * * 7", { rhythm: "weekly", weekdays: [0] }],
  ["30 7 31 * *", { rhythm: "monthly", day: 31, time: "07:30" }],
  ["30 7 1,15 * *", { rhythm: "custom", cron: "30 7 1,15 * *" }],
  ["*/15 * * * *", { rhythm: "custom" }],
  ["0 9 1 * 1", { rhythm: "custom" }],
  ["0 9 * 6 *", { rhythm: "custom" }],
  ["nonsense", { rhythm: "custom", cron: "nonsense" }],
])("%s is offered as what it is", (cron, choice) => {
  expect(choiceOf(cron)).toMatchObject(choice);
});

test.each(["0 9 * * *", "5 17 * * 1-5", "0 9 * * 1,4", "30 7 31 * *", "*/15 8-18 * * 1-5"])(
  "opening and saving %s changes nothing",
  (cron) => {
    expect(cronOf(choiceOf(cron))).toBe(cron);
  },
);

test("an agent without a schedule works only when asked, and stays so", () => {
  expect(choiceOf(null).rhythm).toBe("never");
  expect(scheduleOf(choiceOf(null), "UTC")).toBeNull();
});

test("a schedule is stored with its zone and with words for the assistant", () => {
  const choice = { ...choiceOf("0 9 * * 1"), time: "16:45", weekdays: [5, 1] };
  expect(scheduleOf(choice, "Europe/Berlin")).toEqual({
    cron: "45 16 * * 1,5",
    time_zone: "Europe/Berlin",
    text: "Every Monday and Friday at 4:45 PM",
  });
});

test("a choice that can't be stored says what is missing", () => {
  const choice = choiceOf("0 9 * * 1");
  expect(problemOf(choice)).toBeNull();
  expect(problemOf({ ...choice, weekdays: [] })).toContain("one day");
  expect(problemOf({ ...choice, time: "" })).toContain("time");
  expect(problemOf({ ...choice, rhythm: "custom", cron: "0 9 * *" })).toContain("five fields");
  expect(problemOf({ ...choice, rhythm: "never", time: "" })).toBeNull();
});

test("a schedule that has no words is told by its text, else by its fields", () => {
  const schedule = { cron: "0 9 */2 * *", time_zone: "UTC", text: "Every other day at 9:00 AM" };
  expect(scheduleWords(schedule)).toBe("Every other day at 9:00 AM");
  expect(scheduleWords({ ...schedule, text: "" })).toContain("0 9 */2 * *");
});

test("the fields count, not an old text", () => {
  expect(scheduleWords({ cron: "0 9 * * 1", time_zone: "UTC", text: "Daily" })).toBe(
    "Every Monday at 9:00 AM",
  );
});

test("the zone that is set can be kept, known to the browser or not", () => {
  expect(timeZones("Mars/Olympus")).toEqual(expect.arrayContaining(["Mars/Olympus", "UTC", "Europe/Berlin"]));
});
