import postgres from "postgres";
import { createScaledBooks, vacuumAnalyze } from "#test/database/scaled-books.ts";
import { buildPages } from "./build-pages.ts";
import { toBundle } from "./bundle.mjs";
import { canShiftDatabase } from "#test/torture/database-clock.ts";
import { countRows, describeGrowth } from "#test/torture/growth.ts";
import { describeMemory } from "#test/torture/memory.ts";
import { torture } from "#test/torture/torture.ts";
import { readArguments } from "./script-arguments.ts";
import { say } from "./steps.ts";
import { torturePlanted } from "./torture-planted.ts";

/** Six hours of what docs/operations.md plans for: 20 credits per second. */
const SIX_HOURS = 6 * 3_600 * 20;
/** From here on, a run shows what grows. */
const LONG_MINUTES = 12;
const FILLED_CARDS = 2_000;

const { values } = readArguments({
  usage: "npm run torture -- [options]",
  summary: "Run servers and workers under faults, and check every guarantee (docs/reliability.md)",
  options: {
    "api-only": { type: "boolean", default: false, about: "serve no pages" },
    credits: {
      type: "string",
      about: `how many there are before; ${SIX_HOURS} from ${LONG_MINUTES} minutes on, else 0`,
    },
    minutes: { type: "string", default: "30", about: "for how long" },
    programs: { type: "string", default: "4", about: "how many send requests" },
    planted: { type: "boolean", default: false, about: "break each guarantee, to see it caught" },
    seed: {
      type: "string",
      default: String(Math.floor(Math.random() * 2 ** 31)),
      about: "repeats the schedule of a run",
    },
  },
});
const [minutes, seed, programs] = [
  Number(values.minutes),
  Number(values.seed),
  Number(values.programs),
];
const credits = Number(values.credits ?? (minutes >= LONG_MINUTES ? SIX_HOURS : 0));
const isWhole = (number: number, least: number) => Number.isSafeInteger(number) && number >= least;
if (
  !(minutes > 0) ||
  !Number.isSafeInteger(seed) ||
  !isWhole(programs, 1) ||
  !isWhole(credits, 0)
) {
  say("--minutes must be a positive number, and --seed, --programs, and --credits whole ones.");
  process.exit(2);
}
if (values.planted) {
  process.exit((await torturePlanted({ minutes, seed })) ? 0 : 1);
}
const program = [toBundle("start.ts"), "--empty", ...(values["api-only"] ? ["--api-only"] : [])];
if (!values["api-only"]) {
  await buildPages(say);
}
if (!canShiftDatabase()) {
  say("No month passes: the database's clock is set ahead with the Debian package libfaketime.");
}
const report = await torture(
  { seed, durationMs: minutes * 60_000, programs, program, fill: writeCredits },
  say,
);
const { requests, acknowledged, repeats, delivered, pages, faults, violations, neverAcknowledged } =
  report;
say(
  `${faults.length} faults; ${requests} requests, ${acknowledged} acknowledged, ${repeats} repeats; ${delivered} events delivered; ${pages} pages read`,
);
if (neverAcknowledged.length > 0) {
  say(`Never acknowledged: ${neverAcknowledged.join(", ")}.`);
}
say(
  `${credits} credits and debits were there before; ${countRows(report.growth.last)} rows at the end`,
);
for (const line of [...describeGrowth(report.growth), ...describeMemory(report.memory)]) {
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

/** Fills the books of one more integrator, whose requests are not logged: they would be months old. */
async function writeCredits(database: { appUrl: string; ownerUrl: string }): Promise<void> {
  if (credits === 0) {
    return;
  }
  say(`Writing ${credits} credits and debits …`);
  const scale = { cards: FILLED_CARDS, transactionsPerCard: Math.ceil(credits / FILLED_CARDS) };
  await createScaledBooks(database, scale, { unguarded: true });
  const sql = postgres(database.ownerUrl, { max: 1, onnotice: () => undefined });
  await sql`truncate api_log`;
  await sql.end();
  await vacuumAnalyze(database);
}
