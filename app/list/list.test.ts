import { describe, expect, test } from "vitest";
import { DAYS, declareList, isFiltered, readListQuery, toFilters, toListHref } from "./list.ts";

const CARD = "01a04cd8-ed02-7000-8000-a92b440f12c9";

const LIST = declareList({
  path: "/things",
  views: "cards",
  noun: "things",
  hint: "",
  columns: [
    { id: "name", name: "Name" },
    { id: "state", name: "State" },
    { id: "size", name: "Size", isExtra: true },
  ],
  fields: {
    search: { kind: "search", label: "Search" },
    state: { kind: "choice", label: "State", options: [{ id: "open", name: "Open" }] },
    order: { kind: "order", label: "Newest", options: [{ id: "oldest", name: "Oldest" }] },
    card_id: { kind: "card", label: "Card" },
    ...DAYS,
    amount_min: { kind: "amount", label: "Minimum", word: "At least" },
  },
});

const read = (search: string) =>
  readListQuery(LIST, Object.fromEntries(new URLSearchParams(search).entries()));

describe("what a URL asks of a list", () => {
  test.each([
    ["search", "  two words ", "two words"],
    ["search", "x".repeat(300), "x".repeat(255)],
    ["search", "   ", undefined],
    ["state", "open", "open"],
    ["state", "lost", undefined],
    ["order", "oldest", "oldest"],
    ["card_id", CARD.toUpperCase(), CARD],
    ["card_id", "4242", undefined],
    ["from", "2026-01-31", "2026-01-31"],
    ["from", "tomorrow", undefined],
    ["range", "last-month", "last-month"],
    ["amount_min", "0", "0"],
    ["amount_min", "-1", undefined],
    ["columns", "size,lost,state", "size,state"],
    ["columns", "name,size,size", "size"],
    ["columns", "lost", undefined],
    ["density", "compact", "compact"],
    ["view", CARD, CARD],
  ])("%s=%s is %s", (name, text, value) => {
    const { values } = read(new URLSearchParams({ [name]: text }).toString());
    expect(values).toMatchObject({ [name]: value });
  });

  test("a member that is given twice is not used", () => {
    expect(readListQuery(LIST, { state: ["open", "open"] }).values.state).toBeUndefined();
  });
});

test("only filters narrow a list down: not its order, nor its look", () => {
  expect(isFiltered(read("order=oldest&columns=size&density=compact"))).toBe(false);
  expect(isFiltered(read("search=a"))).toBe(true);
});

test("a link keeps the other filters and the look, and leads to the first page", () => {
  const listQuery = read(`state=open&columns=size&cursor=${CARD}`);
  expect(toListHref(listQuery, { search: "a" })).toBe("/things?search=a&state=open&columns=size");
  expect(toListHref(listQuery, { state: undefined, columns: undefined })).toBe("/things");
});

test("an export is of the filters, whatever the look", () => {
  expect(toFilters(read("state=open&columns=size&density=compact"))).toMatchObject({
    state: "open",
  });
  expect(toFilters(read("columns=size"))).not.toHaveProperty("columns");
});
