import { expect, test } from "vitest";
import { findDocs } from "./palette-docs.ts";

const entries = [
  {
    href: "/docs/api/unfreezeCard",
    name: "Unfreeze a card",
    detail: "PATCH /api/cards/{id}/unfreeze",
  },
  { href: "/docs/api/freezeCard", name: "Freeze a card", detail: "PATCH /api/cards/{id}/freeze" },
  { href: "/docs/freezes", name: "Freezes", detail: "What a freeze guarantees." },
];

const find = (search: string) => findDocs(entries, search).map(({ name }) => name);

test("an operation is found by its name, its path, and its id; names that begin so come first", () => {
  expect(find("freeze")).toEqual(["Freeze a card", "Freezes", "Unfreeze a card"]);
  expect(find("patch cards freeze")).toEqual(["Unfreeze a card", "Freeze a card"]);
  expect(find("unfreezeCard")).toEqual(["Unfreeze a card"]);
  expect(find("refund")).toEqual([]);
});
