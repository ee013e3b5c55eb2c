import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toClientPackage } from "#lib/api/client-package/package.ts";

const exec = promisify(execFile);
const TSC = path.join(import.meta.dirname, "../../../node_modules/.bin/tsc");

/** Calls the API, and sees a refusal by its class. */
const PROGRAM = `
const client = new Floatdeck({ apiKey: "fd_test" });
async function main() {
  const card = await client.cards.get("a");
  const refused = await client.cards.freeze("b").catch((error) => error);
  const { response } = await client.float.get().withResponse();
  const headers = await signWebhook("whsec_c2VjcmV0", "{}");
  await verifyWebhook("whsec_c2VjcmV0", headers, "{}");
  console.log(card.id, refused instanceof FloatdeckConflictError, response.status);
}
void main();`;

const NAMES = "Floatdeck, FloatdeckConflictError, signWebhook, verifyWebhook";
const IMPORT = `import { ${NAMES} } from "floatdeck";`;
const REQUIRE = `const { ${NAMES} } = require("floatdeck");`;

let server: Server;
let project: string;

/** An empty project in which the package of a running server is installed. */
beforeAll(async () => {
  server = createServer((request, response) => {
    const isRefused = request.method === "PATCH";
    response.writeHead(isRefused ? 409 : 200, { "Content-Type": "application/json" });
    response.end(isRefused ? '{"code":"card_closed","detail":"Why."}' : '{"id":"a card"}');
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  project = mkdtempSync(path.join(tmpdir(), "formats-"));
  const folder = path.join(project, "node_modules/floatdeck");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    path.join(project, "client.tgz"),
    (await toClientPackage(`http://127.0.0.1:${port}`)).bytes,
  );
  await exec("tar", ["xzf", "client.tgz", "-C", folder, "--strip-components=1"], { cwd: project });
});

afterAll(() => {
  server.close();
  rmSync(project, { recursive: true });
});

function write(name: string, text: string): string {
  const file = path.join(project, name);
  writeFileSync(file, text);
  return file;
}

async function run(file: string): Promise<string> {
  const { stdout, stderr } = await exec(process.execPath, [file], { cwd: project });
  return stdout + stderr;
}

describe("a program that calls the API runs", () => {
  test.each([
    ["as a module", "program.mjs", IMPORT],
    ["in CommonJS", "program.cjs", REQUIRE],
    [
      "as a module that takes it as CommonJS",
      "mixed.mjs",
      `import { createRequire } from "node:module"; const require = createRequire(import.meta.url); ${REQUIRE}`,
    ],
  ])("%s", async (_how, name, head) => {
    expect(await run(write(name, head + PROGRAM))).toBe("a card true 200\n");
  });

  test("and a module finds the names of the CommonJS library", async () => {
    const file = write(
      "named.mjs",
      `import { ${NAMES} } from "./node_modules/floatdeck/index.cjs";`,
    );
    expect(await run(file)).toBe("");
  });

  test.each([
    ["esm", "mjs", IMPORT],
    ["cjs", "cjs", REQUIRE],
  ] as const)("bundled by esbuild into %s", async (format, ending, head) => {
    const outfile = path.join(project, `bundle.${ending}`);
    await build({
      stdin: { contents: head + PROGRAM, resolveDir: project },
      bundle: true,
      format,
      outfile,
      logLevel: "silent",
    });
    expect(await run(outfile)).toBe("a card true 200\n");
  });
});

const TYPED = `
const client = new Floatdeck({ apiKey: "fd_test", fetch: globalThis.fetch, log: ({ response }) => response?.status });
export async function main(signal: AbortSignal): Promise<string> {
  const { data, response } = await client.cards.get("a", { signal, headers: { "X-Team": "cards" } }).withResponse();
  const promise: Promise<unknown> = client.cards.list();
  for await (const page of client.cards.list({ limit: 1 }).pages()) {
    await client.cards.list({ limit: 1, ...page.next });
  }
  for await (const bytes of client.cards.export()) { const size: number = bytes.length; void size; }
  const text: string = await client.cards.export();
  const error: unknown = await promise.catch((thrown: unknown) => thrown);
  const key = error instanceof FloatdeckConflictError ? error.idempotencyKey : undefined;
  return data.id + text + (key ?? response.headers.get("etag") ?? "");
}
void signWebhook; void verifyWebhook;`;

describe("a program compiles under strict", () => {
  test.each(["nodenext", "node16"])(
    "as a module and in CommonJS, with --module %s",
    async (module) => {
      const types = path.join(TSC, "../../@types");
      const files = ["mts", "cts"].map((ending) => write(`typed.${ending}`, IMPORT + TYPED));
      const options = [
        "--strict",
        "--exactOptionalPropertyTypes",
        "--noEmit",
        "--target",
        "es2022",
      ];
      const said = await exec(
        TSC,
        [...options, "--module", module, "--typeRoots", types, "--types", "node", ...files],
        { cwd: project },
      ).catch((error: unknown) => error);
      expect(said).toMatchObject({ stdout: "", stderr: "" });
    },
  );
});
