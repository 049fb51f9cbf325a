/** What somebody can do first on this deployment, as it is: with or without a model, with or without a service. Pure. */

export interface Starter {
  id: "ask" | "remind" | "watch" | "report" | "help";
  title: string;
  /** What is sent. */
  text: string;
  /** What comes of it. */
  outcome: string;
}

export interface Deployment {
  /** Whether a model answers questions here. */
  hasModel: boolean;
  /** The names of the services that are connected. */
  services: readonly string[];
}

const ASK: Starter = {
  id: "ask",
  title: "Ask anything",
  text: "What makes a meeting worth its time?",
  outcome: "An answer in a moment",
};

const REMIND: Starter = {
  id: "remind",
  title: "Be reminded",
  text: "Remind me tomorrow at 9 to call the bank",
  outcome: "Done in seconds",
};

const WATCH: Starter = {
  id: "watch",
  title: "Keep an eye on a page",
  text: "Check https://example.com every hour and tell me here if it is down",
  outcome: "An agent of your own, at once",
};

const HELP: Starter = {
  id: "help",
  title: "See what there is",
  text: "What can you do?",
  outcome: "An answer at once",
};

const report = (service: string): Starter => ({
  id: "report",
  title: "Hand over a chore",
  text: `Every Monday at 9, report our project updates from ${service} here`,
  outcome: "An agent of your own, at once",
});

/** Three things that work right now; the first is done in seconds. */
export function startersFor({ hasModel, services }: Deployment): readonly [Starter, Starter, Starter] {
  const [service] = services;
  const chore = hasModel && service !== undefined ? report(service) : WATCH;
  return hasModel ? [REMIND, ASK, chore] : [REMIND, chore, HELP];
}
