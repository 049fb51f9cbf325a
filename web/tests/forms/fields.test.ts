import { expect, test } from "vitest";
import { fromControl, nested, rulesOf, toControl, valueAt } from "@/forms/fields";

test("a field has the limits that the API has", () => {
  expect(rulesOf("PolicyChange", "retention_days")).toMatchObject({
    kind: "integer",
    minimum: 1,
    maximum: 3650,
  });
  expect(rulesOf("AgentSpec", "what").required).toBe(true);
  expect(rulesOf("AgentSpec", "check.url").required).toBeUndefined();
});

test("lists are lines, and an empty one is null where that means something", () => {
  const models = rulesOf("PolicyChange", "allowed_models");
  expect(toControl(["a", "b"], models)).toBe("a\nb");
  expect(fromControl("a\n\n b \n", models)).toEqual(["a", "b"]);
  expect(fromControl(" ", models)).toBeNull();
  expect(fromControl("", rulesOf("AgentSpec", "sources"))).toEqual([]);
});

test("an empty number is null, others are numbers", () => {
  const budget = rulesOf("PolicyChange", "budget.usd_per_day");
  expect(fromControl("", budget)).toBeNull();
  expect(fromControl("2.5", budget)).toBe(2.5);
});

test("values go in and out of objects by path", () => {
  expect(nested({ "limits.per_day.runs": 5, "limits.agents": 2, tone: "brief" })).toEqual({
    limits: { per_day: { runs: 5 }, agents: 2 },
    tone: "brief",
  });
  expect(valueAt({ limits: { agents: 2 } }, "limits.agents")).toBe(2);
  expect(valueAt({}, "limits.agents")).toBeUndefined();
});
