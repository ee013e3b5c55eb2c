// @ts-check
// Bundles the programs that run in production: Node then loads one file instead of a thousand, and does not read the list in
// drizzle-orm's package.json (180 KB) again for each import of it.
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const FOLDER = "dist";
const STAMP = "floatdeck-sources";
const PROGRAMS = ["start", "pages", "worker", "floatdeck"];
/** What the pages' build has Node load as well, so that each exists once. */
const INSTALLED = ["next", "pino", "postgres"];
const REQUIRE = `import { createRequire as toRequire } from "node:module"; const require = toRequire(import.meta.url);`;
/** Where the code in a bundle comes from. */
const SOURCES = ["app/api", "bin", "db", "lib"];
const PACKAGES = ["package.json", "package-lock.json"];
const CLIENT = /client-package\/bundle-client\.mjs$/;
const CODE = /(?<!\.test)\.(?:ts|mjs)$/u;

/** @param {string} program a file of this folder */
export function isBundled(program) {
  return PROGRAMS.includes(path.basename(program, ".ts"));
}

/** @param {string} program a file of this folder */
export function toBundle(program) {
  return path.join(ROOT, FOLDER, `${path.basename(program, ".ts")}.js`);
}

/** Whether the bundles are made from the sources that are there. */
export function areBundled() {
  const stamp = path.join(ROOT, FOLDER, STAMP);
  return existsSync(stamp) && readFileSync(stamp, "utf8") === fingerprint(ROOT);
}

/**
 * Marks the bundles of a release as made: it has no sources that could change.
 * @param {string} root
 */
export function stampBundles(root) {
  writeFileSync(path.join(root, FOLDER, STAMP), fingerprint(root));
}

/** Makes the bundles unless their sources have not changed. */
export async function bundle() {
  if (areBundled()) {
    return;
  }
  const wanted = fingerprint(ROOT);
  const files = await bundlePrograms();
  // Whoever is killed in the middle leaves no half bundles that count as made.
  const next = path.join(ROOT, `${FOLDER}.${process.pid}`);
  rmSync(next, { recursive: true, force: true });
  mkdirSync(next);
  for (const { path: file, contents } of files) {
    writeFileSync(path.join(next, path.basename(file)), contents);
  }
  writeFileSync(path.join(next, STAMP), wanted);
  replace(path.join(ROOT, FOLDER), next);
}

/**
 * @param {string} folder
 * @param {string} next
 */
function replace(folder, next) {
  rmSync(path.join(folder, STAMP), { force: true });
  rmSync(folder, { recursive: true, force: true });
  try {
    renameSync(next, folder);
  } catch (error) {
    // Another start was faster.
    rmSync(next, { recursive: true });
    if (!areBundled()) {
      throw error;
    }
  }
}

async function bundlePrograms() {
  const esbuild = await import("esbuild");
  const client = await describeClient();
  const { outputFiles } = await esbuild.build({
    absWorkingDir: ROOT,
    entryPoints: PROGRAMS.map((name) => `bin/${name}.ts`),
    outdir: FOLDER,
    bundle: true,
    external: INSTALLED,
    // Its CommonJS loads files in a way that no bundler follows.
    alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
    // Some packages are CommonJS and load Node's modules.
    banner: { js: REQUIRE },
    format: "esm",
    platform: "node",
    target: "node24",
    plugins: [{ name: "client", setup: (build) => build.onLoad({ filter: CLIENT }, () => client) }],
    sourcemap: "linked",
    sourcesContent: false,
    write: false,
    logLevel: "error",
  });
  await esbuild.stop();
  return outputFiles;
}

/** Bundles carry the client's code, instead of what makes it. */
async function describeClient() {
  const { bundleClient, PLACES } = await import("../lib/api/client-package/bundle-client.mjs");
  return {
    contents: `
      export const PLACES = ${JSON.stringify(PLACES)};
      export const bundleClient = async () => (${JSON.stringify(await bundleClient())});`,
  };
}

/** @param {string} root */
function fingerprint(root) {
  const hash = createHash("sha256");
  for (const file of [...SOURCES.flatMap((place) => listFiles(root, place)), ...PACKAGES]) {
    hash.update(file).update(readFileSync(path.join(root, file)));
  }
  return hash.digest("hex");
}

/**
 * The Node that starts this may be too old to list a folder with what is below it.
 * @param {string} root
 * @param {string} place
 * @returns {string[]}
 */
function listFiles(root, place) {
  if (!existsSync(path.join(root, place))) {
    return [];
  }
  return readdirSync(path.join(root, place), { withFileTypes: true }).flatMap((entry) => {
    const file = `${place}/${entry.name}`;
    if (entry.isDirectory()) {
      return listFiles(root, file);
    }
    return CODE.test(file) ? [file] : [];
  });
}
