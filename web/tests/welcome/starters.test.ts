import { expect, test } from "vitest";
import { startersFor } from "@/welcome/starters";

const idsOf = (hasModel: boolean, ...services: string[]) =>
  startersFor({ hasModel, services }).map((starter) => starter.id);

test("nothing is offered that needs a model or a service that is not there", () => {
  expect(idsOf(false)).toEqual(["remind", "watch", "help"]);
  expect(idsOf(false, "Notion")).toEqual(["remind", "watch", "help"]);
  expect(idsOf(true)).toEqual(["remind", "ask", "watch"]);
  expect(idsOf(true, "Notion")).toEqual(["remind", "ask", "report"]);
});

test("a chore is read from the service that is connected", () => {
  expect(startersFor({ hasModel: true, services: ["Notion", "Jira"] })[2].text).toContain("from Notion");
});
