// What IAM would decide: an array of simulations on standard input, an array of verdicts on standard output.
import { text } from "node:stream/consumers";
import { runSimulation } from "@cloud-copilot/iam-simulate";

const verdicts = [];
for (const simulation of JSON.parse(await text(process.stdin))) {
  const evaluated = await runSimulation(
    { serviceControlPolicies: [], resourceControlPolicies: [], ...simulation },
    {},
  );
  verdicts.push(
    evaluated.resultType === "error" ? { errors: evaluated.errors } : { verdict: evaluated.overallResult },
  );
}
process.stdout.write(JSON.stringify(verdicts));
