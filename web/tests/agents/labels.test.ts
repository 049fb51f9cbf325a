import { expect, test } from "vitest";
import {
  addressLabel,
  changeLabel,
  checkLabel,
  deliveryLabel,
  deliveryOutcomeLabel,
  missingConnectionsLabel,
  missingModelLabel,
  runDurationLabel,
  serviceName,
  timeAgo,
  usageLabel,
} from "@/agents/labels";
import type { Schemas } from "@/api/client";

const RUN: Schemas["RunView"] = {
  id: "01",
  user: "maya",
  agent_id: "a",
  agent_name: "weekly-updates",
  created_at: "2026-05-04T09:00:00.000Z",
} as Schemas["RunView"];

const delivery = (given: Partial<Schemas["DeliveryOutcome"]>) =>
  deliveryOutcomeLabel({ channel: "slack", status: "delivered", tries: 1, target: "", reason: "", ...given });

test("services are called as people call them", () => {
  expect(["github", "google sheets", "email"].map(serviceName)).toEqual([
    "GitHub",
    "Google Sheets",
    "e-mail",
  ]);
});

test("where results go names channels and recipients", () => {
  expect(
    deliveryLabel({ channels: ["conversation", "slack"], recipients: ["#team", "ops@acme.example"] }),
  ).toBe("conversation and Slack (#team, ops@acme.example)");
  expect(deliveryLabel(undefined)).toBe("conversation");
});

test("a colleague's change is told by its fields, and an address not allowed by its host", () => {
  expect(changeLabel({ owner: "ben" }, ["instructions", "recipients"])).toBe(
    "ben has changed it since you last ran it: instructions and recipients. What you had allowed it no longer counts, so its results stay with you.",
  );
  expect(delivery({ status: "not_allowed", target: "https://hooks.slack.com/services/T0" })).toBe(
    "Slack (hooks.slack.com): not sent, you have not allowed it",
  );
});

test("of a web address only the host is shown: the rest often is a secret", () => {
  expect(addressLabel("https://hooks.slack.com/services/T0/B0/verysecret")).toBe("hooks.slack.com");
  expect(addressLabel("https://user:secret@host.example/x")).toBe("host.example");
  expect(addressLabel("https://")).not.toContain("https");
  expect(delivery({ target: "https://hooks.slack.com/services/verysecret" })).not.toContain("verysecret");
});

test("what is missing is told by what would mend it", () => {
  expect(missingConnectionsLabel([], ["notion"])).toBeNull();
  expect(missingConnectionsLabel(["notion", "jira", "slack"], ["notion", "jira"])).toBe(
    "Not connected yet: Notion and Jira. No address for Slack yet.",
  );
  expect(missingConnectionsLabel(["notion"], null)).toBe("Not connected yet: Notion.");
});

test("a missing model or budget is told, and nothing where there are both", () => {
  expect(missingModelLabel([])).toBeNull();
  expect(missingModelLabel([{ kind: "connection", name: "notion", link: "" }])).toBeNull();
  expect(missingModelLabel([{ kind: "model", name: "", link: "" }])).toBe("No model is set up here yet.");
  expect(missingModelLabel([{ kind: "budget", name: "", link: "" }])).toBe("The budget for models is 0.");
});

test.each([
  [{ expect: "reachable" }, "when https://acme.test/a is down"],
  [{ expect: "status", status: 404 }, "when https://acme.test/a no longer answers with 404"],
  [{ expect: "contains", text: "in stock" }, "when https://acme.test/a no longer says “in stock”"],
  [{ expect: "lacks", text: "sold out" }, "when https://acme.test/a says “sold out”"],
  [{ expect: "unchanged" }, "when https://acme.test/a changes"],
  [{ expect: "certificate" }, "14 days before the certificate of acme.test expires"],
  [{ expect: "certificate", days: 30 }, "30 days before the certificate of acme.test expires"],
] as const)("a check %j tells %s", (given, words) => {
  expect(checkLabel({ url: "https://acme.test/a", ...given })).toBe(words);
});

test.each([
  [{}, "Slack: delivered"],
  [{ target: "#ops" }, "Slack (#ops): delivered"],
  [{ channel: "email", status: "no_address" }, "E-mail: not sent, there is no address"],
  [{ channel: "conversation", status: "not_repeated" }, "Conversation: not repeated, it was told before"],
  [{ channel: "sms", status: "not_supported" }, "SMS: not sent, this is not supported here"],
  [{ status: "failed", reason: "unreachable" }, "Slack: not delivered, it can't be reached"],
  [{ status: "failed", reason: "http_410" }, "Slack: not delivered, it answered with 410"],
  [{ status: "failed", reason: "never heard of" }, "Slack: not delivered, it did not work"],
] as const)("%j is told as: %s", (given, words) => {
  expect(delivery(given)).toBe(words);
});

const usage = (cost_usd: number | null, model_calls = 2): Schemas["RunView"] => ({
  ...RUN,
  usage: { model: "gpt-x", prompt_tokens: 1200, completion_tokens: 160, model_calls, cost_usd },
});

test("what a run took is its model, tokens and price", () => {
  expect(usageLabel(usage(0.002138))).toBe("gpt-x · 1,360 tokens · $0.0021");
  expect(usageLabel(usage(null))).toBe("gpt-x · 1,360 tokens · price not known");
  expect(usageLabel(usage(0, 0))).toBeNull();
});

test("how long a run worked is known when it is over", () => {
  const started_at = "2026-05-04T09:00:00.000Z";
  expect(runDurationLabel({ ...RUN, started_at })).toBeNull();
  expect(runDurationLabel({ ...RUN, started_at, finished_at: "2026-05-04T09:00:07.420Z" })).toBe("7.4 s");
  expect(runDurationLabel({ ...RUN, started_at, finished_at: "2026-05-04T09:02:05.000Z" })).toBe("2 min 5 s");
});

test.each([
  ["2026-05-04T08:59:40Z", "just now"],
  ["2026-05-04T09:00:30Z", "just now"],
  ["2026-05-04T08:59:00Z", "1 minute ago"],
  ["2026-05-04T08:01:00Z", "1 hour ago"],
  ["2026-05-04T04:00:00Z", "5 hours ago"],
  ["2026-05-03T09:00:00Z", "yesterday"],
  ["2026-04-30T09:00:00Z", "4 days ago"],
  ["2026-04-01T09:00:00Z", "Apr 1, 2026"],
])("%s was %s", (moment, words) => {
  expect(timeAgo(moment, Date.parse("2026-05-04T09:00:00Z"))).toBe(words);
});
