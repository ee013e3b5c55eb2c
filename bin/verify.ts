import path from "node:path";
import { readEnv } from "#lib/env.ts";
import { checkBooks } from "#lib/ledger/monitor.ts";
import type { Miss } from "#lib/ledger/verify.ts";
import { startEmbedded } from "#db/embedded.ts";
import { closeDatabase, configureDatabase, database } from "#db/client.ts";

process.chdir(path.join(import.meta.dirname, ".."));

try {
  process.exitCode = await verify();
} catch (error) {
  process.stderr.write(`floatdeck: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

/** Checks all the books; also beside a running server, whose embedded database is then used and left running. */
async function verify(): Promise<number> {
  const settings = readEnv(process.env);
  if (settings.databaseUrl) {
    return check(settings.databaseUrl);
  }
  const embedded = await startEmbedded(settings.dataDir);
  try {
    return await check(embedded.appUrl);
  } finally {
    if (embedded.started) {
      await embedded.stop();
    }
  }
}

async function check(url: string): Promise<number> {
  configureDatabase(url);
  const started = performance.now();
  try {
    const misses = await checkBooks(database(), "full");
    return report(misses, (performance.now() - started) / 1_000);
  } finally {
    await closeDatabase();
  }
}

function report(misses: Miss[] | undefined, seconds: number): number {
  if (misses === undefined) {
    say("The books are being checked by another process just now; try again.");
    return 1;
  }
  for (const miss of misses) {
    say(`${miss.rule}: integrator ${miss.integratorId}, ${miss.about}`);
  }
  say(
    misses.length === 0
      ? `The books balance (checked in ${seconds.toFixed(1)} s).`
      : `The books do not balance in ${misses.length} places.`,
  );
  return misses.length === 0 ? 0 : 1;
}

function say(text: string): void {
  process.stdout.write(`floatdeck: ${text}\n`);
}
