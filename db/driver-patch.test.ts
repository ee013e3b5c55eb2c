import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import postgres from "postgres";
import { expect, test } from "vitest";
import { startUndescribed } from "#test/database/undescribed.ts";

const ROOT = path.join(import.meta.dirname, "..");
const PATCH = readFileSync(path.join(ROOT, "patches/postgres+3.4.9.patch"), "utf8");

/** Makes every import of the driver resolve to the published version, without our patch's marker. */
const UNPATCHED = `
import { registerHooks } from "node:module";
registerHooks({
  resolve: (name, context, next) =>
    name === "postgres"
      ? { url: "data:text/javascript,export default function postgres() {}", shortCircuit: true }
      : next(name, context),
});
const { openDatabase } = await import("#db/client.ts");
openDatabase("postgres://127.0.0.1/none");`;

test("a server with an unpatched driver does not open a database, and reports how to start", () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--input-type=module", "--eval", UNPATCHED],
    { cwd: ROOT, encoding: "utf8" },
  );
  expect(status).not.toBe(0);
  expect(stderr).toContain("lacks Floatdeck's patch");
  expect(stderr).toContain("npm start");
});

test("a statement that the database could not describe works once it can", async () => {
  const server = await startUndescribed();
  const client = postgres(server.url, { max: 1, fetch_types: false });
  const find = () =>
    client.unsafe("select found from places where id = $1", ["1"], { prepare: true });
  await expect(find()).rejects.toMatchObject({ code: "42703" });
  expect(await find()).toEqual([{ found: "here" }]);
  expect(await find()).toEqual([{ found: "here" }]);
  await client.end();
  await server.close();
});

test("every hunk of the patch names its reason, and the installed driver has what it adds", () => {
  const [about = "", ...files] = PATCH.split(/^diff --git a\/\S+ b\//mu);
  const reasons = [...about.matchAll(/^(\w[\w ]*):/gmu)].map(([, name]) => name);
  const hunks = files.flatMap((file) => {
    const installed = readFileSync(path.join(ROOT, file.slice(0, file.indexOf("\n"))), "utf8");
    return file
      .split(/^@@ \S+ \S+ @@ /mu)
      .slice(1)
      .map((hunk) => ({ installed, lines: hunk.trimEnd().split("\n") }));
  });
  expect(hunks.length).toBeGreaterThan(0);
  for (const { installed, lines } of hunks) {
    const [named = "", ...changes] = lines;
    expect(reasons).toEqual(expect.arrayContaining(named.split(", ")));
    const kept = changes.filter((line) => !line.startsWith("-")).map((line) => line.slice(1));
    expect(installed).toContain(kept.join("\n"));
  }
});
