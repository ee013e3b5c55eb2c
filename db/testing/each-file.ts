import { afterAll, beforeAll, expect } from "vitest";
import { checkAnswers } from "#lib/api/wire/answer.ts";
import { verifyBooks } from "#lib/ledger/verify.ts";
import { checkCompiledSelects } from "../compiled-select.ts";
import { checkCommits } from "../transaction.ts";
import { requireMarker } from "./commit-markers.ts";
import { findRollupFaults } from "./rollup-faults.ts";
import { dropTestDatabase, openTestDatabase, testDatabase } from "./database.ts";

beforeAll(async () => {
  checkCommits(requireMarker);
  checkCompiledSelects();
  checkAnswers();
  await openTestDatabase();
});

/** After every file, the books must balance and the overview must agree with them. */
afterAll(async () => {
  try {
    expect(await verifyBooks(testDatabase().db)).toEqual([]);
    expect(await findRollupFaults(testDatabase().db)).toEqual([]);
  } finally {
    await dropTestDatabase();
  }
});
