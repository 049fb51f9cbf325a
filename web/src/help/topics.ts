/** Groups answers under their topics. */

interface WithTopic {
  topic: string;
}

const ORDER = [
  "your workspace",
  "basics",
  "agents",
  "schedules",
  "connections",
  "work",
  "chat",
  "privacy",
  "deletion",
  "cost",
  "administration",
  "developers",
];

/** The topics with their answers, in the order of a newcomer's questions; a topic that is new here comes last. */
export function groupByTopic<Answer extends WithTopic>(answers: readonly Answer[]): [string, Answer[]][] {
  const groups = new Map<string, Answer[]>();
  for (const answer of answers) groups.set(answer.topic, [...(groups.get(answer.topic) ?? []), answer]);
  return [...groups].sort(([one], [other]) => place(one) - place(other));
}

function place(topic: string): number {
  const found = ORDER.indexOf(topic);
  return found < 0 ? ORDER.length : found;
}
