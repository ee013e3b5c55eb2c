import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { ROOMS } from "./rooms.ts";

/** The structure of the product. Types count as much as values, and dynamic imports as much as static ones. */

const ROOT = path.join(import.meta.dirname, "../..");
const NAMES = [...ROOMS.keys()];
const LONGEST_FIRST = NAMES.toSorted((a, b) => b.length - a.length);
const INTERNAL = "/internal/";
const FILES = globSync("{app,bench,bin,db,lib}/**/*.{ts,tsx}", { cwd: ROOT }).filter(
  (file) => !/\.test\.tsx?$/u.test(file),
);

interface Import {
  from: string;
  to: string;
}

const IMPORTS: readonly Import[] = FILES.flatMap((from) =>
  findTargets(from, readFileSync(path.join(ROOT, from), "utf8")).map((to) => ({ from, to })),
);

/** Every file of ours that a module imports. */
function findTargets(from: string, text: string): string[] {
  return [
    ...text.matchAll(/(?:from|import\()\s*"(?:#(?<rooted>[^"]+)|(?<relative>\.[^"]+))"/gu),
  ].map(
    ({ groups }) => groups?.["rooted"] ?? path.join(path.dirname(from), groups?.["relative"] ?? ""),
  );
}

/** The room of a file; undefined outside of all rooms. */
function roomOf(file: string): string | undefined {
  return LONGEST_FIRST.find((name) => file.startsWith(`${name}/`));
}

/** The screen of a file, by its folder; undefined in a room and for what stands directly in `app`. */
function screenOf(file: string): string | undefined {
  return roomOf(file) === undefined
    ? /^app\/(?:\(dashboard\)\/)?[^/]+(?=\/)/u.exec(file)?.[0]
    : undefined;
}

const crosses = ({ from, to }: Import): boolean => roomOf(from) !== roomOf(to);

const climbs = ({ from, to }: Import): boolean => {
  const here = roomOf(from);
  return here !== undefined && NAMES.indexOf(roomOf(to) ?? "") > NAMES.indexOf(here);
};

const intrudes = (each: Import): boolean => crosses(each) && each.to.includes(INTERNAL);

const enters = ({ from, to }: Import): boolean => {
  const here = roomOf(from) ?? screenOf(from);
  const screen = screenOf(to);
  return here !== undefined && screen !== undefined && screen !== here;
};

const leans = ({ from, to }: Import): boolean =>
  /^(?:app|db|lib)\//u.test(from) && /^(?:bench|bin|test)\//u.test(to);

/** The layers, the highest first. A file imports from its own layer and the next one. */
const LAYERS = ["app", "lib", "db"];

const layerOf = (file: string): number => LAYERS.indexOf(file.split("/")[0] ?? "");

const skips = ({ from, to }: Import): boolean => {
  const [here, there] = [layerOf(from), layerOf(to)];
  return here >= 0 && there >= 0 && there !== here && there !== here + 1;
};

const calls = ({ from, to }: Import): boolean =>
  from.startsWith("app/ui/") && to.startsWith("lib/api/");

/** The imports that break a rule, as text. */
function findWrong(isWrong: (each: Import) => boolean): string[] {
  return IMPORTS.filter(isWrong).map(({ from, to }) => `${from} imports ${to}`);
}

/** The files that import themselves, through others. */
function findCircles(imports: readonly Import[]): string[] {
  const targets = Map.groupBy(imports, ({ from }) => from);
  const finished = new Set<string>();
  const visit = (file: string, above: readonly string[]): string[] => {
    if (above.includes(file)) {
      return [file];
    }
    if (finished.has(file)) {
      return [];
    }
    const found = (targets.get(file) ?? []).flatMap(({ to }) => visit(to, [...above, file]));
    finished.add(file);
    return found;
  };
  return [...targets.keys()].flatMap((file) => visit(file, []));
}

describe("the house", () => {
  test("every file of lib is in a room, and every room has one", () => {
    const files = FILES.filter((file) => file.startsWith("lib/"));
    expect(files.filter((file) => roomOf(file) === undefined)).toEqual([]);
    const inhabited = new Set(FILES.map(roomOf));
    expect(NAMES.filter((name) => !inhabited.has(name))).toEqual([]);
  });

  test("imports only lead to rooms before one's own", () => {
    expect(findWrong(climbs)).toEqual([]);
    expect(climbs({ from: "lib/ledger/post.ts", to: "lib/cards/reads.ts" })).toBe(true);
    expect(climbs({ from: "app/ui/dialog.tsx", to: "app/client/live.tsx" })).toBe(true);
  });

  test("app calls lib, lib calls db, and nothing calls what is above it", () => {
    expect(findWrong(skips)).toEqual([]);
    expect(skips({ from: "app/ui/dialog.tsx", to: "db/schema/cards.ts" })).toBe(true);
    expect(skips({ from: "app/(dashboard)/page.tsx", to: "db/client.ts" })).toBe(true);
    expect(skips({ from: "db/schema/cards.ts", to: "lib/base/ids.ts" })).toBe(true);
    expect(skips({ from: "lib/base/ids.ts", to: "app/(dashboard)/page.tsx" })).toBe(true);
    expect(skips({ from: "lib/cards/card-reads.ts", to: "db/client.ts" })).toBe(false);
  });

  test("what a room keeps to itself is imported by the room alone", () => {
    expect(findWrong(intrudes)).toEqual([]);
    expect(intrudes({ from: "app/page.tsx", to: "lib/webhooks/internal/signing-secret.ts" })).toBe(
      true,
    );
  });

  test("a room of lib keeps to itself what nobody else imports", () => {
    const entered = new Set(IMPORTS.filter(crosses).map(({ to }) => to));
    const kept = FILES.filter(
      (file) => file.startsWith("lib/") && !file.includes(INTERNAL) && !STANDS_OPEN.test(file),
    );
    expect(kept.filter((file) => !entered.has(file))).toEqual([]);
  });

  test("no screen is imported by another, nor by a room", () => {
    expect(findWrong(enters)).toEqual([]);
    const to = "app/(dashboard)/cards/cards-table.tsx";
    expect(enters({ from: "app/ui/panel.tsx", to })).toBe(true);
    expect(enters({ from: "app/(dashboard)/float/page.tsx", to })).toBe(true);
  });

  test("what pages are made of knows no client of the API", () => {
    expect(findWrong(calls)).toEqual([]);
    expect(calls({ from: "app/ui/card-picker.tsx", to: "lib/api/client.ts" })).toBe(true);
  });

  test("the product imports neither programs, nor benchmarks, nor test support", () => {
    expect(findWrong(leans)).toEqual([]);
    expect(leans({ from: "lib/base/ids.ts", to: "test/scene/fixtures.ts" })).toBe(true);
  });

  test("no file imports itself through others", () => {
    expect(findCircles(IMPORTS)).toEqual([]);
    const circle = [
      { from: "a", to: "b" },
      { from: "b", to: "c" },
      { from: "c", to: "a" },
    ];
    expect(findCircles(circle)).toEqual(["a"]);
  });
});

/** Every operation, event, and action is declared in the open, also where one file alone binds it; the client's source is bundled by its path. */
const STANDS_OPEN = /^lib\/(?:audit|events|operations|api\/client-package\/source)\//u;
