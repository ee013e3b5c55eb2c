import { afterAll, beforeAll, vi } from "vitest";
import { checkAnswers } from "#lib/api/wire/answer.ts";
import { log } from "#lib/base/log.ts";
import { checkCompiledSelects } from "#db/compiled-select.ts";
import { checkCommits } from "#db/transaction.ts";
import { requireMarker } from "#test/database/commit-markers.ts";
import { closeTestDatabase, openTestDatabase } from "#test/database/database.ts";

/** Files that provoke failures silence the log. */
const { level } = log;

/** Every file has a database of its own, and leaves nothing to the next file of its process. */
beforeAll(async () => {
  checkCommits(requireMarker);
  checkCompiledSelects();
  checkAnswers();
  await openTestDatabase();
});

afterAll(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  log.level = level;
  await closeTestDatabase();
});
