import { expect, test } from "vitest";
import { hidePostingLinks } from "@/chat/thread/postingLinks";

test("links that can be posted to are hidden, and what is around them stays", () => {
  expect(
    hidePostingLinks("Post to https://hooks.slack.com/services/T6FWQU2Z5/BW8DE91RSWK/DZQepQqzy, please"),
  ).toBe("Post to https://hooks.slack.com/sealed/… please");
  for (const link of [
    "https://discord.com/api/webhooks/123456789012345678/q7Xv2LmTz9RkWc4HyBn8JdPfGs3AeQtUo1Vi",
    "https://acme.webhook.office.com/webhookb2/4d2f@91aa/IncomingWebhook/77ab/03",
    "HTTPS://Hooks.Slack.com/workflows/T6FWQU2Z5/A1/1/x",
  ])
    expect(hidePostingLinks(`${link} and ${link}`)).toMatch(
      /^https:\/\/[a-z.]+\/sealed\/… and https:\/\/[a-z.]+\/sealed\/…$/,
    );
});

test("other links stay", () => {
  for (const link of [
    "https://acme.slack.com/archives/C1",
    "https://example.com/services/list",
    "https://discord.com/developers/docs/resources/webhook",
    "https://hooks.slack.com/sealed/5f0c",
  ])
    expect(hidePostingLinks(`See ${link}.`)).toBe(`See ${link}.`);
});
