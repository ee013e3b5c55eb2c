import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

/** A registry with one package, which describes what it sends as its own. */
const registry = createServer((request, response) => {
  const tarball = readFileSync(path.join(directory, "tool.tgz"));
  if (request.url === "/tool.tgz") {
    response.end(tarball);
    return;
  }
  const dist = { tarball: `${address()}/tool.tgz`, integrity: toIntegrity(tarball) };
  const versions = { "1.0.0": { name: "tool", version: "1.0.0", dist } };
  response.setHeader("Content-Type", "application/json");
  response.end(JSON.stringify({ name: "tool", "dist-tags": { latest: "1.0.0" }, versions }));
});

let directory: string;

beforeAll(async () => {
  directory = mkdtempSync(path.join(tmpdir(), "floatdeck-registry-"));
  mkdirSync(path.join(directory, "package"));
  await new Promise<void>((resolve) => registry.listen(0, "127.0.0.1", resolve));
});

afterAll(() => {
  registry.close();
  rmSync(directory, { recursive: true });
});

function address(): string {
  const bound = registry.address();
  return `http://127.0.0.1:${bound !== null && typeof bound === "object" ? bound.port : 0}`;
}

function toIntegrity(bytes: Buffer): string {
  return `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
}

/** Publishes the package with a program that prints this word. @returns its hash. */
function publish(word: string): string {
  const write = (name: string, text: string) =>
    writeFileSync(path.join(directory, "package", name), text);
  write("package.json", JSON.stringify({ name: "tool", version: "1.0.0" }));
  write("program.js", `process.stdout.write(${JSON.stringify(word)});`);
  execFileSync("tar", ["-czf", "tool.tgz", "package"], { cwd: directory });
  return toIntegrity(readFileSync(path.join(directory, "tool.tgz")));
}

/** Fetches the package by its hash, and runs its program. */
function fetchAndRun(integrity: string): Promise<{ output: string; errors: string }> {
  const program = `
    import { execFileSync } from "node:child_process";
    import { fetchLocked } from ${JSON.stringify(path.join(import.meta.dirname, "install.mjs"))};
    const folder = fetchLocked("tool", ${JSON.stringify({ version: "1.0.0", integrity })}, process.env);
    execFileSync(process.execPath, [folder + "/program.js"], { stdio: "inherit" });`;
  const env = {
    ...process.env,
    npm_config_registry: address(),
    // What has the locked hash in an earlier cache would be taken from there.
    npm_config_cache: mkdtempSync(path.join(directory, "cache-")),
  };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ["--input-type=module", "--eval", program],
      { env },
      (_error, output, errors) => resolve({ output, errors }),
    );
  });
}

test("a package is fetched if it has the locked hash, and is not run if it has another", async () => {
  const locked = publish("as locked");
  const fetched = await fetchAndRun(locked);
  expect(fetched.output).toContain("as locked");
  publish("something else");
  const { output, errors } = await fetchAndRun(locked);
  expect(output).not.toContain("something else");
  expect(errors).toContain("EINTEGRITY");
  expect(errors).toContain("floatdeck: npm could not install the packages; it says above why.");
});
