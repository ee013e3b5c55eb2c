import { execFileSync } from "node:child_process";
import { accessSync, constants, cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { buildPages } from "./build-pages.ts";
import { fetchLocked, installForRelease } from "./install.mjs";
import { ROOT, say } from "./steps.ts";

/** What a server reads while it runs. */
const READ = [
  ".next",
  "app",
  "bin",
  "db",
  "docs",
  "instrumentation.ts",
  "instrumentation-client.ts",
  "lib",
  "next.config.js",
  "package-lock.json",
  "package.json",
  "patches",
];

/** What only building and testing read. */
const LEFT_OUT = [
  "**/*.png",
  "**/*.test.{ts,tsx}",
  "**/*-rig.ts",
  ".next/{cache,dev,diagnostics,trace*,turbopack,types}",
  // A pattern enters a folder whose name begins with a dot only if it names it.
  ".next/**/*.map",
  "bin/{bench,check,generate,prepare-testing,release,scaled-books,test,test-*}.ts",
  "bin/{testing-client,throw-away,torture,torture-planted}.ts",
  "test",
];

/** Older npm versions cannot write a bill of materials. */
const NPM_OF_SBOM = {
  version: "11.19.1",
  integrity:
    "sha512-ztsxKxt/kkIaAs+2i0GU6I+DRmUdrNasxTZKJe9TCdSjKxlhah/4r/hl5ygMD6XAg1qZ9c2TNomR4qgOydp10g==",
};

const [target] = process.argv.slice(2);
const refusal = target === undefined ? "Usage: npm run release -- <empty directory>" : take(target);
if (target === undefined || refusal !== undefined) {
  process.stderr.write(`floatdeck: ${refusal}\n`);
  process.exitCode = 1;
} else {
  release(path.resolve(target));
}

/**
 * Creates the directory, before the pages are built for minutes.
 * @returns why it cannot be the target, in one sentence; undefined when it can.
 */
function take(directory: string): string | undefined {
  try {
    mkdirSync(directory, { recursive: true });
    accessSync(directory, constants.W_OK);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    return `${directory} cannot be written (${code}). Name a directory that this account may write to.`;
  }
  return readdirSync(directory).length > 0
    ? `${directory} is not empty. Name a new or an empty directory.`
    : undefined;
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
  const npm = path.join(fetchLocked("npm", NPM_OF_SBOM, process.env), "bin/npm-cli.js");
  return execFileSync(
    process.execPath,
    [npm, "sbom", "--omit=dev", "--sbom-format=cyclonedx", "--loglevel=error"],
    { cwd: directory, encoding: "utf8", maxBuffer: 64 * 1_024 * 1_024 },
  );
}
