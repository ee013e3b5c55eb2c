import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "#db/root.ts";
import { listActions } from "./generate/actions.ts";
import { listCategoryCodes } from "./generate/category-codes.ts";
import { listChanges } from "./generate/changelog.ts";
import { listEvents } from "./generate/events.ts";
import { listExportColumns } from "./generate/export-columns.ts";
import { listMessageKinds } from "./generate/messages.ts";
import { listPostings } from "./generate/postings.ts";
import { pinMigrations } from "./generate/released-migrations.ts";
import { say } from "./steps.ts";

/**
 * Writes the files that list the contents of folders, so that nobody has to. With `--check`, it writes nothing, and
 * fails if a file is out of date.
 */

interface Declared {
  name: string;
  folder: string;
  file: string;
}

const declared = findDeclared();
const lists: Readonly<Record<string, string>> = {
  "lib/operations/declared.ts": listOperations(),
  "app/api/routes.ts": listRoutes(),
  "app/client/operations.ts": listLoaders(),
  ...(await listEvents()),
  ...listActions(),
  ...listMessageKinds(),
  ...listPostings(),
  ...listChanges(),
  ...listCategoryCodes(),
  ...listExportColumns(),
  ...pinMigrations(),
};
const stale = Object.entries(lists).filter(
  ([file, text]) =>
    !existsSync(path.join(ROOT, file)) || readFileSync(path.join(ROOT, file), "utf8") !== text,
);
if (process.argv.includes("--check")) {
  for (const [file] of stale) {
    say(`${file} does not list what is there. Run npm run generate.`);
  }
  process.exitCode = stale.length === 0 ? 0 : 1;
} else {
  for (const [file, text] of stale) {
    writeFileSync(path.join(ROOT, file), text);
  }
}

/** Finds every operation by the line that declares it. */
function findDeclared(): Declared[] {
  return globSync("lib/operations/*/*.ts", { cwd: ROOT })
    .toSorted()
    .flatMap((file) => {
      const text = readFileSync(path.join(ROOT, file), "utf8");
      const { name } = /^export const (?<name>\w+) = operation\(/mu.exec(text)?.groups ?? {};
      return name ? [{ name, folder: path.basename(path.dirname(file)), file }] : [];
    });
}

function listOperations(): string {
  const byFolder = Map.groupBy(declared, ({ folder }) => folder);
  return [
    "// Written by npm run generate.",
    ...declared.map(({ name, file }) => `import { ${name} } from "#${file}";`),
    "",
    "/** The operations that each folder declares. */",
    "export const DECLARED = {",
    ...[...byFolder].map(
      ([folder, all]) => `  "${folder}": [${all.map(({ name }) => name).join(", ")}],`,
    ),
    "};",
    "",
  ].join("\n");
}

/** Lists only what pages name, as `OPERATIONS.freezeCard`: each entry costs the build a dozen files. */
function listLoaders(): string {
  const pages = globSync("app/**/*.{ts,tsx}", { cwd: ROOT }).map((file) =>
    readFileSync(path.join(ROOT, file), "utf8"),
  );
  const named = new Set(pages.flatMap((text) => text.match(/(?<=\bOPERATIONS\.)\w+/gu) ?? []));
  const performed = declared.filter(({ name }) => named.has(name));
  return [
    "// Written by npm run generate.",
    "",
    "/**",
    " * The operations that pages perform, each fetched with its schemas when it is first needed: a page's first load",
    " * carries none of them.",
    " */",
    "export const OPERATIONS = {",
    ...performed.map(
      ({ name, file }) => `  ${name}: () => import("#${file}").then((module) => module.${name}),`,
    ),
    "} as const;",
    "",
  ].join("\n");
}

/** Lists the routes, except a catch-all route: to the API, an unmatched path is unknown. */
function listRoutes(): string {
  const folders = globSync("app/api/**/route.ts", { cwd: ROOT })
    .map((file) => path.posix.relative("app/api", path.dirname(file)))
    .filter((folder) => !folder.includes("[..."))
    .toSorted();
  const named = folders.map((folder) => ({ folder, name: toCamelCase(folder) }));
  return [
    "// Written by npm run generate.",
    ...named.map(({ folder, name }) => `import * as ${name} from "#app/api/${folder}/route.ts";`),
    "",
    "/** The route modules of the API, by their folders. */",
    "export const ROUTES = {",
    ...named.map(({ folder, name }) => `  "${folder}": ${name},`),
    "};",
    "",
  ].join("\n");
}

function toCamelCase(folder: string): string {
  const [first = "", ...rest] = folder.match(/\w+/gu) ?? [];
  return [first, ...rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join("");
}
