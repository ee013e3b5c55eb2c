import path from "node:path";
import { readEnv } from "#lib/env.ts";
import { checkBooks } from "#lib/ledger/monitor.ts";
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
  const embedded = settings.databaseUrl ? undefined : await startEmbedded(settings.dataDir);
  configureDatabase(settings.databaseUrl ?? embedded?.appUrl ?? "");
  const started = performance.now();
  try {
    const misses = await checkBooks(database(), "full");
    if (misses === undefined) {
      process.stdout.write("floatdeck: The books are being checked by another process just now.\n");
      return 1;
    }
    for (const miss of misses) {
      process.stdout.write(`${miss.rule}: integrator ${miss.integratorId}, ${miss.about}\n`);
    }
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    process.stdout.write(
      misses.length === 0
        ? `floatdeck: The books balance (checked in ${seconds} s).\n`
        : `floatdeck: The books do not balance in ${misses.length} places.\n`,
    );
    return misses.length === 0 ? 0 : 1;
  } finally {
    await closeDatabase();
    if (embedded?.started) {
      await embedded.stop();
    }
  }
}
