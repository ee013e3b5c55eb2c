import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { ROOMS } from "./rooms.ts";

/** The structure of lib: rooms on floors, doors between them. Types count as much as values. */

const LIB = path.join(import.meta.dirname, "../../lib");
const NAMES = Object.keys(ROOMS).toSorted((a, b) => b.length - a.length);
const FLOORS_MAX = 8;

interface Import {
  from: string;
  to: string;
}

function readImports(): Import[] {
  return globSync("{app,bench,bin,lib}/**/*.{ts,tsx}", { cwd: path.join(LIB, "..") }).flatMap(
    (file) => {
      const text = readFileSync(path.join(LIB, "..", file), "utf8");
      return findTargets(text).map((to) => ({ from: file.replace(/^lib\//u, "./"), to }));
    },
  );
}

/** Every file of lib that a module imports: for values, for types, or dynamically. */
function findTargets(text: string): string[] {
  return [...text.matchAll(/(?:from|import\()\s*"#lib\/(?<file>[^"]+)"/gu)].map(
    ({ groups }) => groups?.["file"] ?? "",
  );
}

/** The room of a file below lib; undefined outside of it. */
function roomOf(file: string): string | undefined {
  return NAMES.find((name) => file.startsWith(`${name}/`));
}

const isTest = (file: string) => file.endsWith(".test.ts");
const IMPORTS = readImports();
const inLib = IMPORTS.filter(({ from }) => from.startsWith("./") && !isTest(from)).map(
  ({ from, to }) => ({ from: from.slice(2), to }),
);

/** The imports that break a rule, as text. */
function findWrong(imports: readonly Import[], isWrong: (each: Import) => boolean): string[] {
  return imports.filter(isWrong).map(({ from, to }) => `${from} imports ${to}`);
}

const climbs = ({ from, to }: Import): boolean => {
  const [here, there] = [roomOf(from), roomOf(to)];
  return (
    here !== undefined &&
    there !== undefined &&
    here !== there &&
    (ROOMS[there]?.floor ?? 0) >= (ROOMS[here]?.floor ?? 0)
  );
};

const passesDoor = ({ from, to }: Import): boolean => {
  const there = roomOf(to);
  return (
    there !== undefined &&
    roomOf(from) !== there &&
    ROOMS[there]?.doors !== "all" &&
    !(ROOMS[there]?.doors ?? []).includes(to.slice(there.length + 1))
  );
};

describe("lib", () => {
  test("every file is in a room", () => {
    const files = globSync("**/*.ts", { cwd: LIB });
    expect(files.filter((file) => roomOf(file) === undefined)).toEqual([]);
  });

  test(`has at most ${FLOORS_MAX} floors, and imports only lead down`, () => {
    const floors = new Set(Object.values(ROOMS).map(({ floor }) => Math.floor(floor)));
    expect(floors.size).toBeLessThanOrEqual(FLOORS_MAX);
    expect(findWrong(inLib, climbs)).toEqual([]);
    expect(climbs({ from: "ledger/post.ts", to: "cards/reads.ts" })).toBe(true);
  });

  test("a room is entered by its doors alone, from app and bin too", () => {
    const outside = IMPORTS.filter(({ from }) => !from.startsWith("./") && !isTest(from));
    expect(findWrong([...inLib, ...outside], passesDoor)).toEqual([]);
    expect(passesDoor({ from: "cards/reads.ts", to: "ledger/decide-secret.ts" })).toBe(true);
  });

  test("every door leads to a file that is used from outside", () => {
    const entered = new Set(
      IMPORTS.flatMap(({ from, to }) =>
        roomOf(to) !== roomOf(from.replace(/^\.\//u, "")) || !from.startsWith("./") ? [to] : [],
      ),
    );
    const unused = Object.entries(ROOMS).flatMap(([room, { doors }]) =>
      (doors === "all" ? [] : doors)
        .map((door) => `${room}/${door}`)
        .filter((door) => !existsSync(path.join(LIB, door)) || !entered.has(door)),
    );
    expect(unused).toEqual([]);
  });
});
