import { parseArgs } from "node:util";
import { buildPages } from "./build-pages.ts";
import { canShiftDatabase } from "#db/testing/torture/database-clock.ts";
import { describeGrowth } from "#db/testing/torture/growth.ts";
import { describeMemory } from "#db/testing/torture/memory.ts";
import { torture } from "#db/testing/torture/torture.ts";
import { say } from "./steps.ts";
import { torturePlanted } from "./torture-planted.ts";

const { values } = parseArgs({
  options: {
    "api-only": { type: "boolean", default: false },
    minutes: { type: "string", default: "30" },
    programs: { type: "string", default: "4" },
    planted: { type: "boolean", default: false },
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
});
const [minutes, seed, programs] = [
  Number(values.minutes),
  Number(values.seed),
  Number(values.programs),
];
if (
  !(minutes > 0) ||
  !Number.isSafeInteger(seed) ||
  !(Number.isSafeInteger(programs) && programs > 0)
) {
  say("--minutes must be a positive number, and --seed and --programs whole ones.");
  process.exit(2);
}
if (values.planted) {
  process.exit((await torturePlanted({ minutes, seed })) ? 0 : 1);
}
const program = ["bin/start.ts", "--empty", ...(values["api-only"] ? ["--api-only"] : [])];
if (!values["api-only"]) {
  buildPages(say);
}
if (!canShiftDatabase()) {
  say("No month passes: the database's clock is set ahead with the Debian package libfaketime.");
}
const outcome = await torture({ seed, durationMs: minutes * 60_000, programs, program }, say);
const { requests, acknowledged, repeats, delivered, pages, faults, violations } = outcome;
say(
  `${faults.length} faults; ${requests} requests, ${acknowledged} acknowledged, ${repeats} repeats; ${delivered} events delivered; ${pages} pages read`,
);
for (const line of [...describeGrowth(outcome.growth), ...describeMemory(outcome.memory)]) {
  say(line);
}
for (const violation of violations) {
  say(`BROKEN: ${violation}`);
}
say(
  violations.length === 0
    ? "Every guarantee held."
    : `Guarantees were broken; repeat with --seed ${seed} --minutes ${minutes}.`,
);
process.exit(violations.length === 0 ? 0 : 1);
