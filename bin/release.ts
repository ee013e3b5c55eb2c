import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { buildPages } from "./build-pages.ts";
import { installForRelease } from "./install.mjs";
import { ROOT, say } from "./steps.ts";

/** What a server reads while it runs. */
const READ = [
  ".next",
  "app",
  "bin",
  "db",
  "docs",
  "instrumentation-client.ts",
  "lib",
  "next.config.js",
  "package-lock.json",
  "package.json",
];

/** What only building and testing read. */
const LEFT_OUT = [
  "**/*.png",
  "**/*.test.{ts,tsx}",
  "**/*-rig.ts",
  ".next/{cache,dev,diagnostics,trace*,turbopack,types}",
  // A pattern enters a folder whose name begins with a dot only if it names it.
  ".next/**/*.map",
  "bin/{bench,check,prepare-testing,release,scaled-books,test,test-*}.ts",
  "bin/{testing-client,throw-away,torture,torture-planted}.ts",
  "db/testing",
];

/** Older npm versions cannot write a bill of materials. */
const NPM_OF_SBOM = "npm@11.19.1";

const [target] = process.argv.slice(2);
if (target === undefined) {
  process.stderr.write("floatdeck: Usage: npm run release -- <empty directory>\n");
  process.exitCode = 1;
} else if (existsSync(target) && readdirSync(target).length > 0) {
  process.stderr.write(`floatdeck: ${target} is not empty. Name a new or an empty directory.\n`);
  process.exitCode = 1;
} else {
  release(path.resolve(target));
}

/** Assembles what a server needs, and nothing else, in a directory. */
function release(directory: string): void {
  process.chdir(ROOT);
  buildPages(say);
  say("Copying what a server reads …");
  for (const name of READ) {
    cpSync(name, path.join(directory, name), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !LEFT_OUT.some((pattern) => path.matchesGlob(source, pattern)),
    });
  }
  say("Installing the packages that a server needs …");
  installForRelease(directory);
  say("Writing the bill of materials …");
  writeFileSync(path.join(directory, "sbom.json"), describePackages(directory));
  say(`Released to ${directory}. Start it with npm start there, or run bin/start.ts.`);
}

/** @returns the packages of the release as a CycloneDX document. */
function describePackages(directory: string): string {
  return execFileSync(
    "npx",
    ["--yes", NPM_OF_SBOM, "sbom", "--omit=dev", "--sbom-format=cyclonedx", "--loglevel=error"],
    { cwd: directory, encoding: "utf8", maxBuffer: 64 * 1_024 * 1_024 },
  );
}
