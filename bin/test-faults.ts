import { parseArgs } from "node:util";
import { LENGTH } from "#test/faults/length.ts";
import { command, run } from "./steps.ts";

/**
 * Kills, freezes, and disconnects the processes the product depends on, and checks that no cent was lost: each fault in
 * seconds, or with `--long` more often. Other arguments are names of files.
 */
const { values, positionals } = parseArgs({
  options: { long: { type: "boolean", default: false } },
  allowPositionals: true,
});
const passed = await run(
  command("vitest"),
  ["run", "--config=test/faults/vitest.config.ts", ...positionals],
  { [LENGTH]: values.long ? "long" : "short" },
);
process.exitCode = passed ? 0 : 1;
