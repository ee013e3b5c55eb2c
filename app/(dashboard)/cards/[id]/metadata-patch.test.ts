import { expect, test } from "vitest";
import { toMetadataPatch } from "./metadata-patch.ts";

const BEFORE = { order: "4711", team: "ops", note: "" };

const row = (key: string, value: string) => ({ id: 0, key, value });

test.each([
  ["nothing changed", { order: "4711", team: "ops", note: "" }, {}],
  ["a value changed", { order: "4712", team: "ops", note: "" }, { order: "4712" }],
  ["a key renamed", { order: "4711", desk: "ops", note: "" }, { desk: "ops", team: null }],
  ["a line removed, one added", { team: "ops", note: "", x: "" }, { order: null, x: "" }],
])("%s: only that is sent", (_what, after, patch) => {
  const rows = Object.entries(after).map(([key, value]) => row(key, value));
  expect(toMetadataPatch(BEFORE, [...rows, row(" ", "")])).toEqual({ patch, fault: null });
});

test("a key twice, or a value without one, is a fault", () => {
  expect(toMetadataPatch({}, [row("a", "1"), row("a", "2")]).fault).toMatch(/only once/u);
  expect(toMetadataPatch({}, [row("", "1")]).fault).toMatch(/Enter a key/u);
});
