import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "#db/root.ts";
import { BYTES, calculate, COLUMNS, REQUESTS, toRow } from "./capacity.ts";
import { runCommand } from "./floatdeck-cli.ts";

const read = (name: string) => readFileSync(path.join(ROOT, "docs", name), "utf8");

/** The cells of the table rows that begin with a text. */
function findRows(guide: string, beginning: string): string[][] {
  return guide
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .filter(([, first]) => first?.startsWith(beginning))
    .map(([, ...cells]) => cells);
}

const toNumbers = (cells: readonly string[] = []) =>
  cells.map((cell) => Number(cell.replaceAll(",", ""))).filter((value) => !Number.isNaN(value));

test("the calculator uses what the guide has measured", () => {
  const guide = read("scaling.md");
  const rows = {
    credit: "credit, 64 clients on 64 floats",
    authorization: "authorization, 64 clients",
    list: "list transactions, 8 clients",
  };
  for (const [kind, beginning] of Object.entries(rows)) {
    const [, serverMs, databaseMs, wal] = toNumbers(findRows(guide, beginning)[0]);
    expect([kind, { serverMs, databaseMs, wal }]).toEqual([
      kind,
      REQUESTS[kind as keyof typeof REQUESTS],
    ]);
  }
  const written = ["its event", "its other records", "its saved response", "its row in the log"];
  expect(written.map((name) => toNumbers(findRows(guide, name)[0])[0])).toEqual([
    BYTES.event,
    BYTES.records,
    BYTES.response,
    BYTES.logRow,
  ]);
  const [webhook] = findRows(read("operations.md"), "webhook deliveries, each with one attempt");
  expect(webhook?.[1]).toBe(`${BYTES.webhook / 1_000} GB`);
});

test("the guide shows what the command prints for its sizes", async () => {
  const guide = read("scaling.md");
  const sizes = [10, 1_000, 100_000];
  const { out } = await runCommand(["capacity", "--integrators", sizes.join(",")], {});
  const [titles = "", ...lines] = out.trimEnd().split("\n");
  expect(titles.trim().split(/ {3,}/u)).toEqual([...COLUMNS]);
  for (const [index, integrators] of sizes.entries()) {
    const load = { integrators, credits: 1, authorizations: 0, lists: 2, average: 0.1 };
    const cells = lines[index]?.trim().split(/ {3,}/u) ?? [];
    expect(cells).toEqual(toRow(load));
    const rows = findRows(guide, cells[0] ?? "").map((row) => row.slice(0, COLUMNS.length));
    expect(rows).toContainEqual(cells);
  }
});

test("everything grows with the integrators, and disk with the average alone", () => {
  const load = { integrators: 3, credits: 2, authorizations: 5, lists: 7, average: 0.2 };
  const one = calculate({ ...load, integrators: 1 });
  for (const [name, value] of Object.entries(calculate(load))) {
    expect(value).toBeCloseTo(3 * one[name as keyof typeof one], 3);
  }
  const busier = calculate({ ...load, average: 0.4 });
  expect(busier.yearBytes).toBeCloseTo(2 * calculate(load).yearBytes, 3);
  expect(busier.serverCores).toBe(calculate(load).serverCores);
});

test.each(["x", "-1", "1,"])("%j is no number of integrators", async (given) => {
  const { code, err } = await runCommand(["capacity", `--integrators=${given}`], {});
  expect([code, err]).toEqual([
    1,
    expect.stringContaining("--integrators must be a number from 0"),
  ]);
});
