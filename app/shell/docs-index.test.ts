import { expect, test } from "vitest";
import { findDocs, findDocsExactly, toDocsIndex } from "./docs-index.ts";
import type { ListedEntry } from "./docs-index.ts";

const entries: readonly ListedEntry[] = [
  ["/api/unfreezeCard", "Unfreeze a card", "PATCH /api/cards/{id}/unfreeze", "unfreezecard freez"],
  ["/api/freezeCard", "Freeze a card", "PATCH /api/cards/{id}/freeze", "freezecard"],
  ["/freezes", "Freezes", "What a freeze guarantees.", "compliance"],
];

const find = (search: string) => findDocs(toDocsIndex(entries), search).map(({ name }) => name);

test("an operation is found by its name, its path, and its id; names that say so come first", () => {
  expect(find("freeze")).toEqual(["Freezes", "Freeze a card", "Unfreeze a card"]);
  expect(find("patch cards freeze")).toEqual(["Freeze a card", "Unfreeze a card"]);
  expect(find("unfreezeCard")).toEqual(["Unfreeze a card"]);
  expect(find("refund")).toEqual([]);
});

const exactly = (search: string) =>
  findDocsExactly(toDocsIndex(entries), search).map(({ name }) => name);

test("beside other results, a place is found only by what was typed, not by something like it", () => {
  expect(find("freese")).not.toEqual([]);
  expect(exactly("freese")).toEqual([]);
  expect(find("freeze tanaka")).not.toEqual([]);
  expect(exactly("freeze tanaka")).toEqual([]);
  expect(exactly("freez")).toEqual(find("freez"));
});
