import { expect, test } from "vitest";
import { dueStatus, dueTime } from "@/tasks/dueDate";

const TODAY = "2026-12-30";

test.each([
  ["2026-12-30", "Due today", "today"],
  ["2026-12-31", "Due tomorrow", "soon"],
  ["2027-01-01", "Due Friday", "soon"],
  ["2027-01-05", "Due Tuesday", "soon"],
  ["2027-01-06", "Due Jan 6, 2027", "later"],
  ["2026-12-29", "Overdue since yesterday", "overdue"],
  ["2026-11-02", "Overdue since Nov 2", "overdue"],
  ["2025-11-02", "Overdue since Nov 2, 2025", "overdue"],
])("on the 30th of December what is due on %s is told as: %s", (due, label, urgency) => {
  expect(dueStatus(due, TODAY)).toEqual({ label, urgency });
});

test("the day a clock changes is a day like any other", () => {
  expect(dueStatus("2026-03-30", "2026-03-29").label).toBe("Due tomorrow");
  expect(dueStatus("2026-10-26", "2026-10-25").label).toBe("Due tomorrow");
});

test("a time is told as it is on the clocks of its zone, which is named when it is another one", () => {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  expect(dueTime("2026-03-06T15:00", here).replace(/\s/, " ")).toBe("3:00 PM");
  expect(dueTime("2026-03-06T00:05:00", null).replace(/\s/, " ")).toBe("12:05 AM");
  expect(dueTime("2026-03-06T15:00", "Antarctica/South_Pole")).toContain("(Antarctica/South Pole)");
});
