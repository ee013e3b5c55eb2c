import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { ROOMS } from "./rooms.ts";

/** The structure of lib. Types count as much as values. */

const ROOT = path.join(import.meta.dirname, "../..");
const NAMES = [...ROOMS.keys()];
const LONGEST_FIRST = NAMES.toSorted((a, b) => b.length - a.length);
const INTERNAL = "/internal/";

interface Import {
  from: string;
  to: string;
}

/** What everything but tests imports from lib. */
function readImports(): Import[] {
  return globSync("{app,bench,bin,lib}/**/*.{ts,tsx}", { cwd: ROOT })
    .filter((from) => !from.endsWith(".test.ts"))
    .flatMap((from) =>
      findTargets(from, readFileSync(path.join(ROOT, from), "utf8")).map((to) => ({ from, to })),
    );
}

/** Every file of lib that a module imports: for values, for types, or dynamically. */
function findTargets(from: string, text: string): string[] {
  return [
    ...text.matchAll(/(?:from|import\()\s*"(?:#(?<rooted>lib\/[^"]+)|(?<relative>\.[^"]+))"/gu),
  ]
    .map(
      ({ groups }) =>
        groups?.["rooted"] ?? path.join(path.dirname(from), groups?.["relative"] ?? ""),
    )
    .filter((to) => to.startsWith("lib/"));
}

/** The room of a file; undefined outside of lib. */
function roomOf(file: string): string | undefined {
  return LONGEST_FIRST.find((name) => file.startsWith(`lib/${name}/`));
}

const IMPORTS = readImports();

const crosses = ({ from, to }: Import): boolean => roomOf(from) !== roomOf(to);

const climbs = ({ from, to }: Import): boolean => {
  const here = roomOf(from);
  return here !== undefined && NAMES.indexOf(roomOf(to) ?? "") > NAMES.indexOf(here);
};

const intrudes = (each: Import): boolean => crosses(each) && each.to.includes(INTERNAL);

/** The imports that break a rule, as text. */
function findWrong(isWrong: (each: Import) => boolean): string[] {
  return IMPORTS.filter(isWrong).map(({ from, to }) => `${from} imports ${to}`);
}

describe("lib", () => {
  test("every file is in a room, and every room has one", () => {
    const files = globSync("lib/**/*.ts", { cwd: ROOT });
    expect(files.filter((file) => roomOf(file) === undefined)).toEqual([]);
    const inhabited = new Set(files.map(roomOf));
    expect(NAMES.filter((name) => !inhabited.has(name))).toEqual([]);
  });

  test("imports only lead to rooms before one's own", () => {
    expect(findWrong(climbs)).toEqual([]);
    expect(climbs({ from: "lib/ledger/post.ts", to: "lib/cards/reads.ts" })).toBe(true);
  });

  test("what a room keeps to itself is imported by the room alone", () => {
    expect(findWrong(intrudes)).toEqual([]);
    expect(intrudes({ from: "app/page.tsx", to: "lib/webhooks/internal/signing-secret.ts" })).toBe(
      true,
    );
  });

  test("a room keeps to itself what nobody else imports", () => {
    const entered = new Set(IMPORTS.filter(crosses).map(({ to }) => to));
    const kept = globSync("lib/**/*.ts", { cwd: ROOT }).filter(
      (file) => !file.endsWith(".test.ts") && !file.includes(INTERNAL) && !STANDS_OPEN.test(file),
    );
    expect(kept.filter((file) => !entered.has(file))).toEqual([]);
  });
});

/** Every operation is declared in the open, also one that only its route binds; the client's source is bundled by its path. */
const STANDS_OPEN = /^lib\/(?:operations|api\/client-package\/source)\//u;
