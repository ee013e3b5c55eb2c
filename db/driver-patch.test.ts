import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";

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
