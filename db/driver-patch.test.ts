import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";

/** Has every import of the driver find it as published: without the marker of our patch. */
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

test("a server whose driver is not patched does not open a database, and says how to start", () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--input-type=module", "--eval", UNPATCHED],
    { cwd: path.join(import.meta.dirname, ".."), encoding: "utf8" },
  );
  expect(status).not.toBe(0);
  expect(stderr).toContain("lacks Floatdeck's patch");
  expect(stderr).toContain("npm start");
});
