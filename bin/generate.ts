import { globSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { listEvents } from "./generate/events.ts";
import { ROOT, say } from "./steps.ts";

/**
 * Writes the files that list what folders hold, so that nobody has to. With `--check`, it writes nothing, and fails if a
 * file is not what it would write.
 */

interface Declared {
  name: string;
  folder: string;
  file: string;
}

const declared = findDeclared();
const lists: Readonly<Record<string, string>> = {
  "lib/operations/declared.ts": listOperations(),
  "app/client/operations.ts": listLoaders(),
  ...(await listEvents()),
};
const stale = Object.entries(lists).filter(
  ([file, text]) => readFileSync(path.join(ROOT, file), "utf8") !== text,
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

/** Every operation, by the one line that declares it. */
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
