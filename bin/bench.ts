import { writeFileSync } from "node:fs";
import path from "node:path";
import { toDetails, toMarkdown } from "#bench/markdown.ts";
import { toLines } from "#bench/report.ts";
import { runBench } from "#bench/run.ts";
import { ROOT } from "#db/root.ts";
import { readArguments } from "./script-arguments.ts";
import { say } from "./steps.ts";

const { values } = readArguments({
  usage: "npm run bench -- [options]",
  summary: "Measure the product; a full run replaces bench/RESULTS.md (bench/README.md)",
  options: {
    quick: { type: "boolean", default: false, about: "measure for a shorter time" },
    only: { type: "string", default: "", about: "only the cases whose names contain this" },
    before: { type: "string", default: "", about: "compare with the checkout in this directory" },
    pgledger: {
      type: "string",
      multiple: true,
      default: [],
      about: "compare with pgledger: a file of its SQL; once for each, in order",
    },
  },
});
process.chdir(ROOT);
const size = values.quick
  ? {
      rounds: 3,
      caseMs: 400,
      growthMs: 100,
      freshMs: 5_000,
      watched: { rounds: 3, caseMs: 400 },
      misbehavior: { rounds: 2, caseMs: 3_000 },
      large: { cards: 10_000, transactionsPerCard: 10 },
    }
  : {
      rounds: 7,
      caseMs: 1_000,
      growthMs: 300,
      freshMs: 40_000,
      watched: { rounds: 25, caseMs: 2_000 },
      misbehavior: { rounds: 5, caseMs: 6_000 },
      large: { cards: 100_000, transactionsPerCard: 10 },
    };
const results = await runBench({
  ...size,
  mode: values.quick ? "quick" : "full",
  only: values.only,
  before: values.before && path.resolve(values.before),
  pgledger: values.pgledger.map((file) => path.resolve(file)),
  say,
});
const report = toMarkdown(results, toLines(results));
process.stdout.write(`\n${report}\n${toDetails(results)}`);
// A partial or quick run is not a result.
if (!values.quick && values.only === "") {
  writeFileSync(path.join(ROOT, "bench/RESULTS.md"), report);
}
