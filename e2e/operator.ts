import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import type { Account } from "./fixtures.ts";

/** Vouches for an integrator's staff with the operator's command line. */
export async function vouchFor({ integratorId }: Account): Promise<void> {
  await promisify(execFile)(
    process.execPath,
    [path.join(import.meta.dirname, "../bin/floatdeck.ts"), "integrator", "vouch", integratorId],
    { env: { ...process.env, DATA_DIR: process.env["E2E_DATA_DIR"], DATABASE_URL: "" } },
  );
}
