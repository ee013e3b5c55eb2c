import { parseArgs } from "node:util";
import { torture } from "#db/testing/torture/torture.ts";
import { say } from "./steps.ts";
import { torturePlanted } from "./torture-planted.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "30" },
    planted: { type: "boolean", default: false },
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
});
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
if (!(minutes > 0) || !Number.isSafeInteger(seed)) {
  say("--minutes must be a positive number, and --seed a whole number.");
  process.exit(2);
}
if (values.planted) {
  process.exit((await torturePlanted({ minutes, seed })) ? 0 : 1);
}
const outcome = await torture({ seed, durationMs: minutes * 60_000 }, say);
const { requests, acknowledged, repeats, delivered, faults, violations } = outcome;
say(
  `${faults.length} faults; ${requests} requests, ${acknowledged} acknowledged, ${repeats} repeats; ${delivered} events delivered`,
);
for (const violation of violations) {
  say(`BROKEN: ${violation}`);
}
say(
  violations.length === 0
    ? "Every guarantee held."
    : `Guarantees were broken; repeat with --seed ${seed} --minutes ${minutes}.`,
);
process.exit(violations.length === 0 ? 0 : 1);
