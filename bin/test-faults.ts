import { command, run } from "./steps.ts";

/** Kills, freezes, and disconnects the processes the product depends on, and checks that no cent was lost. */
const passed = await run(command("vitest"), ["run", "--config=db/testing/faults/vitest.config.ts"]);
process.exitCode = passed ? 0 : 1;
