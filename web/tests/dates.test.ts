import { expect, test } from "vitest";
import { isoDay, msUntilTomorrow } from "@/dates";

test("the day is the user's, not that of UTC", () => {
  const lateInTheEvening = new Date(2026, 4, 4, 23, 59, 0);
  expect(isoDay(lateInTheEvening)).toBe("2026-05-04");
  expect(msUntilTomorrow(lateInTheEvening)).toBe(60_000);
});
