import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { toBundle } from "../bin/bundle.mjs";
import type { Account } from "./fixtures.ts";

/** Vouches for an integrator's staff with the operator's command line. */
export async function vouchFor({ integratorId }: Account): Promise<void> {
  await floatdeck("integrator", "vouch", integratorId);
}

/** Creates a key of the card network. */
export async function newProcessorKey(): Promise<string> {
  const { key }: { key: string } = JSON.parse(
    await floatdeck("processor-key", "create", "--name", "Network", "--json"),
  );
  return key;
}

/** Stops all changes of an account. */
export async function stop({ integratorId }: Account): Promise<void> {
  await floatdeck("integrator", "stop", integratorId);
}

/** Allows them again. */
export async function start({ integratorId }: Account): Promise<void> {
  await floatdeck("integrator", "start", integratorId);
}

async function floatdeck(...words: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [toBundle("floatdeck.ts"), ...words],
    { env: { ...process.env, DATA_DIR: process.env["E2E_DATA_DIR"], DATABASE_URL: "" } },
  );
  return stdout;
}
