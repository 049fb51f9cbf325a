import { expect, test } from "vitest";
import { describeCron, parseCron } from "@/agents/cron";

test.each([
  ["0 9 * * *", "Daily at 9:00 AM"],
  ["30 17 * * 1-5", "Every weekday at 5:30 PM"],
  ["0 9 * * 1", "Every Monday at 9:00 AM"],
  ["0 9 * * 0,6", "Every weekend day at 9:00 AM"],
  ["0 9 * * 0,1,4", "Every Monday, Thursday and Sunday at 9:00 AM"],
  ["0 0 * * 7", "Every Sunday at 12:00 AM"],
  ["15 12 * * mon,THU", "Every Monday and Thursday at 12:15 PM"],
  ["0 9,17 * * *", "Daily at 9:00 AM and 5:00 PM"],
  ["0,30 9 * * *", "Daily at 9:00 AM and 9:30 AM"],
  ["30 7 1,15 * *", "Monthly on the 1st and 15th at 7:30 AM"],
  ["0 9 22 * *", "Monthly on the 22nd at 9:00 AM"],
  ["0 9 11 * *", "Monthly on the 11th at 9:00 AM"],
  ["0 9 1 1,4,7,10 *", "Quarterly on the 1st at 9:00 AM"],
  ["0 9 24 12 *", "Yearly on the 24th of December at 9:00 AM"],
  ["0 9 * 6-8 1", "Every Monday in June, July and August at 9:00 AM"],
  ["0 9 1 * 1", "Monthly on the 1st and every Monday at 9:00 AM"],
  ["* * * * *", "Every minute"],
  ["*/15 * * * *", "Every 15 minutes"],
  ["*/15 8-18 * * 1-5", "Every 15 minutes from 8:00 AM to 6:45 PM on weekdays"],
  ["0 * * * *", "Every hour"],
  ["20 * * * 1,4", "Every hour at 20 past on Mondays and Thursdays"],
  ["0 */6 * * *", "Every 6 hours"],
  ["0 9-17 * * *", "Every hour from 9:00 AM to 5:00 PM"],
  ["*/10 * 1 * *", "Every 10 minutes, monthly on the 1st"],
])("%s is told as: %s", (cron, words) => {
  expect(describeCron(cron)).toBe(words);
});

test.each(["0 9 */2 * *", "0,7,20 9-17 * * *", "0 1,5,8,11,16 * * *"])(
  "%s has no words shorter than itself",
  (cron) => {
    expect(parseCron(cron)).not.toBeNull();
    expect(describeCron(cron)).toBeNull();
  },
);

test.each(["", "0 9 * *", "0 9 * * * *", "60 9 * * *", "0 24 * * *", "0 9 0 * *", "0 9 * 13 *", "0 9 * * 8"])(
  "%j is no schedule",
  (cron) => {
    expect(parseCron(cron)).toBeNull();
  },
);

test.each(["*/0 9 * * *", "9-5 9 * * *", "a 9 * * *", "0 9 * * xyz", "0 9 L * *", "0,, 9 * * *", "@daily"])(
  "%j is no schedule either",
  (cron) => {
    expect(parseCron(cron)).toBeNull();
  },
);

test("a step after a single number goes on to the end of the field", () => {
  expect(parseCron("5/20 9 * * 1/2")).toMatchObject({ minutes: [5, 25, 45], weekdays: [1, 3, 5] });
});

test("0 and 7 are the same Sunday", () => {
  expect(parseCron("0 9 * * 0,7")?.weekdays).toEqual([0]);
});
