import { beforeAll } from "vitest";
import { checkAnswers } from "#lib/api/wire/answer.ts";
import { checkCompiledSelects } from "../compiled-select.ts";
import { checkCommits } from "../transaction.ts";
import { requireMarker } from "./commit-markers.ts";

/** A file that uses a database imports `database.ts`, which adds hooks of its own. */
beforeAll(() => {
  checkCommits(requireMarker);
  checkCompiledSelects();
  checkAnswers();
});
