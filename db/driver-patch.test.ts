import { spawnSync } from "node:child_process";
import path from "node:path";
import postgres from "postgres";
import { expect, test } from "vitest";
import { startUndescribed } from "#test/database/undescribed.ts";

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
    { cwd: path.join(import.meta.dirname, ".."), encoding: "utf8" },
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
