import { command, run } from "./steps.ts";

/** Kills, freezes and cuts what the product stands on, and looks whether a cent went missing. */
const passed = await run(command("vitest"), ["run", "--config=db/testing/faults/vitest.config.ts"]);
process.exitCode = passed ? 0 : 1;
