import { globSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { PLACES } from "./places.ts";

const APP = path.join(import.meta.dirname, "..");

/** The paths of the pages under a folder of `app`, spelled as Next.js serves them: `(group)` folders have no name. */
function listPaths(folder: string): string[] {
  return globSync(`${folder}**/page.tsx`, { cwd: APP }).map(
    (file) => `/${path.dirname(file).replaceAll(/\([^)]+\)\/|^\.$/gu, "")}`,
  );
}

const hrefs = PLACES.flatMap(({ places }) => places).map(({ href }) => href);

/** Whether a path is one of the side bar's places, or lies below one. */
const isReached = (screen: string) =>
  hrefs.some((href) => screen === href || screen.startsWith(`${href}/`));

test("the side bar leads to every screen of the dashboard, or to the place above it", () => {
  const screens = listPaths("(dashboard)/");
  expect(screens).not.toEqual([]);
  expect(screens.filter((screen) => !isReached(screen))).toEqual([]);
});

test("the side bar leads nowhere else", () => {
  const pages = listPaths("");
  expect(hrefs.filter((href) => !pages.includes(href))).toEqual([]);
});
