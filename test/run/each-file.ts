import { beforeAll } from "vitest";
import { checkAnswers } from "#lib/api/wire/answer.ts";
import { checkCompiledSelects } from "#db/compiled-select.ts";
import { checkCommits } from "#db/transaction.ts";
import { requireMarker } from "#test/database/commit-markers.ts";

/** A file that uses a database imports `database.ts`, which adds hooks of its own. */
beforeAll(() => {
  checkCommits(requireMarker);
  checkCompiledSelects();
  checkAnswers();
});
