import { expect, test } from "vitest";
import { groupByTopic } from "@/help/topics";

test("the workspace's own answers come before ours, and unknown topics last", () => {
  const answers = ["novelties", "privacy", "basics", "your workspace", "basics"].map((topic, id) => ({
    id,
    topic,
  }));
  expect(groupByTopic(answers).map(([topic, found]) => [topic, found.length])).toEqual([
    ["your workspace", 1],
    ["basics", 2],
    ["privacy", 1],
    ["novelties", 1],
  ]);
});
