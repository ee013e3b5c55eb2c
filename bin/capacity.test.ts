import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "#db/root.ts";
import {
  BYTES,
  calculate,
  COLUMNS,
  KEY_BYTES,
  MEMORY,
  REQUESTS,
  SERVER_CONNECTIONS,
  toRow,
} from "./capacity.ts";
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

const MIB = 2 ** 20;

/** There is no third of a server. */
const OF_SERVERS = new Set(["servers", "serverMemoryBytes", "databaseMemoryBytes"]);

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
  for (const said of [
    `a server takes ${MEMORY.server / MIB} MiB and its pages ${MEMORY.pages / MIB};`,
    `${MEMORY.connection / 1e6} MB for each of a server's [${SERVER_CONNECTIONS} connections]`,
    `a year's keys, ${KEY_BYTES} bytes each`,
  ]) {
    expect(guide.replaceAll(/\s+/gu, " ")).toContain(said);
  }
  expect(read("reliability.md").replaceAll(/\s+/gu, " ")).toMatch(
    new RegExp(
      `a server used [\\d, ]+ and ${MEMORY.server / MIB} MiB, its pages [\\d, ]+ and ${MEMORY.pages / MIB},`,
      "u",
    ),
  );
  expect(read("operations.md")).toContain(`at least ${SERVER_CONNECTIONS} for each live server`);
});

test("the guide shows what the command prints for its sizes", async () => {
  const guide = read("scaling.md");
  const sizes = [10, 1_000, 10_000, 100_000];
  const { out } = await runCommand(["capacity", "--integrators", sizes.join(",")], {});
  const [titles = "", ...lines] = out.trimEnd().split("\n");
  expect(titles.trim().split(/ {3,}/u)).toEqual([...COLUMNS]);
  for (const [index, integrators] of sizes.entries()) {
    const load = { integrators, credits: 1, authorizations: 0, lists: 2, average: 0.1 };
    const cells = lines[index]?.trim().split(/ {3,}/u) ?? [];
    expect(cells).toEqual(toRow(load));
    const rows = ["S", "M", "L", "–"].flatMap((size) => findRows(guide, size));
    expect(rows.map((row) => row.slice(1, COLUMNS.length + 1))).toContainEqual(cells);
  }
});

test("the guide's table has the command's columns", () => {
  expect(findRows(read("scaling.md"), "size")[0]).toEqual(["size", ...COLUMNS, ""]);
});

test("everything grows with the integrators, and disk with the average alone", () => {
  const load = { integrators: 3, credits: 2, authorizations: 5, lists: 7, average: 0.2 };
  const one = calculate({ ...load, integrators: 1 });
  const all = Object.entries(calculate(load)).filter(([name]) => !OF_SERVERS.has(name));
  for (const [name, value] of all) {
    expect(value).toBeCloseTo(3 * one[name as keyof typeof one], 3);
  }
  const busier = calculate({ ...load, average: 0.4 });
  expect(busier.yearBytes).toBeCloseTo(2 * calculate(load).yearBytes, 3);
  expect(busier.serverCores).toBe(calculate(load).serverCores);
});

test("there is one server more than the cores need, with memory and connections", () => {
  const load = { credits: 1, authorizations: 0, lists: 2, average: 0 };
  expect(calculate({ integrators: 1, ...load }).servers).toBe(2);
  const many = calculate({ integrators: 1_000, ...load });
  expect(many.servers).toBe(Math.ceil(many.serverCores) + 1);
  expect(many.serverMemoryBytes).toBe(many.servers * (MEMORY.server + MEMORY.pages));
  expect(many.databaseMemoryBytes).toBe(many.servers * SERVER_CONNECTIONS * MEMORY.connection);
});

test.each(["x", "-1", "1,"])("%j is no number of integrators", async (given) => {
  const { code, err } = await runCommand(["capacity", `--integrators=${given}`], {});
  expect([code, err]).toEqual([
    1,
    expect.stringContaining("--integrators must be a number from 0"),
  ]);
});
