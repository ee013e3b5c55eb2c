import { describeUpgrade, findFailures } from "#test/upgrade/report.ts";
import { upgrade } from "#test/upgrade/upgrade.ts";
import { readArguments } from "./script-arguments.ts";
import { say } from "./steps.ts";

const { values } = readArguments({
  usage: "npm run test:upgrade -- --checkout <directory> --data <directory> [--seed <number>]",
  summary:
    "Upgrade the database of an older version under load, and say what clients and locks see of it",
  options: {
    checkout: { type: "string", about: "the older version, where npm ci has run" },
    data: { type: "string", about: "the DATA_DIR that its bench:books has filled" },
    seed: {
      type: "string",
      default: String(Math.floor(Math.random() * 2 ** 31)),
      about: "repeats what the customers of a run ask",
    },
  },
});
const { checkout, data } = values;
const seed = Number(values.seed);
if (!Number.isSafeInteger(seed)) {
  say("--seed must be a whole number.");
  process.exit(2);
}
if (!checkout || !data) {
  say(
    "Name the directory of an older version with --checkout, where npm ci has run, and with --data the DATA_DIR that its bench:books has filled.",
  );
  process.exit(2);
}
say(`An upgrade under load; seed ${seed}`);
const report = await upgrade({ checkout, dataDir: data, seed }, say);
for (const line of describeUpgrade(report)) {
  say(line);
}
const failures = findFailures(report);
for (const line of failures) {
  say(`BROKEN: ${line}`);
}
say(failures.length === 0 ? "Nothing failed." : "The upgrade disturbed clients.");
process.exit(failures.length === 0 ? 0 : 1);
