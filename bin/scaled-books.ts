import path from "node:path";
import { createScaledBooks, vacuumAnalyze } from "#test/database/scaled-books.ts";
import { readEnv } from "#lib/base/env.ts";
import { startEmbedded } from "#db/embedded.ts";
import { migrate } from "#db/migrate.ts";
import { ROOT } from "#db/root.ts";
import { say } from "./steps.ts";

/** One integrator of the largest expected size, and one for comparison. */
const SCALES = [
  { cards: 100_000, transactionsPerCard: 10 },
  { cards: 100, transactionsPerCard: 10 },
] as const;

process.chdir(ROOT);
const settings = readEnv(process.env);
if (settings.databaseUrl) {
  throw new Error(
    "This command fills a new embedded database. Unset DATABASE_URL and set DATA_DIR.",
  );
}

const embedded = await startEmbedded(settings.dataDir);
try {
  await migrate(embedded.ownerUrl, embedded.appRole);
  for (const scale of SCALES) {
    say(`Creating ${scale.cards} cards with ${scale.transactionsPerCard} transactions each …`);
    const made = await createScaledBooks(embedded, scale, { unguarded: true });
    say(`  integrator ${made.integratorId}`);
    say(`  API key    ${made.apiKey}`);
    say(`  sign-in    ${made.email}, ${made.password}`);
  }
  await vacuumAnalyze(embedded);
  say(`Done. Serve it with DATA_DIR=${path.relative(ROOT, settings.dataDir) || "."} npm start`);
} finally {
  if (embedded.started) {
    await embedded.stop();
  }
}
