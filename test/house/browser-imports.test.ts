import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

/** What a browser may load. A build fails on the database, but only a browser would notice a table of 180 kB. */

const ROOT = path.join(import.meta.dirname, "../..");
const MODULES = new Set(globSync("{app,db,lib}/**/*.{ts,tsx}", { cwd: ROOT }));
const CLIENT = /^\s*"use client"/u;
/** `import type` and `export type` are gone once the code is compiled. */
const VALUES =
  /^(?:import|export)\b(?!\s+type\b)[^;"]*"(?<fixed>[^"]+)";|import\("(?<later>[^"]+)"\)/gmu;
const FOR_SERVERS = [/^db\/(?!schema\/)/u, /^lib\/transactions\/merchant-category\.ts$/u];

const read = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");

function findImports(file: string): string[] {
  return [...read(file).matchAll(VALUES)].flatMap(({ groups }) => {
    const name = groups?.["fixed"] ?? groups?.["later"] ?? "";
    const target = name.startsWith("#") ? name.slice(1) : path.join(path.dirname(file), name);
    return MODULES.has(target) ? [target] : [];
  });
}

/** Every module that browsers can load, each with the way to it from the module that a page begins with. */
function findLoaded(): Map<string, string> {
  const loaded = new Map(
    [...MODULES].filter((file) => CLIENT.test(read(file))).map((file) => [file, file]),
  );
  // A map's entries that are added meanwhile are visited too.
  for (const [file, way] of loaded) {
    for (const target of findImports(file).filter((each) => !loaded.has(each))) {
      loaded.set(target, `${way} → ${target}`);
    }
  }
  return loaded;
}

test("browsers load neither the database nor what is only for servers", () => {
  const loaded = findLoaded();
  expect(loaded.size).toBeGreaterThan(500);
  const wrong = [...loaded].filter(([file]) => FOR_SERVERS.some((each) => each.test(file)));
  expect(wrong.map(([, way]) => way)).toEqual([]);
});
