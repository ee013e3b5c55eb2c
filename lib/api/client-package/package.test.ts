import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readBlocks } from "#test/scene/guide-blocks.ts";
import { OPERATIONS } from "#lib/operations/operations.ts";
import { toClientCall } from "#lib/api/client-package/client-call.ts";
import { isForClients, toClientName } from "#lib/api/client-package/internal/operation-names.ts";
import { toClientFiles, toClientPackage } from "#lib/api/client-package/package.ts";
import type { ClientPackage } from "#lib/api/client-package/package.ts";
import { GLOSSARY } from "#lib/api/contract/glossary.ts";
import { EVENTS } from "#lib/record/declared-events.ts";

const exec = promisify(execFile);
const TSC = path.join(import.meta.dirname, "../../../node_modules/.bin/tsc");
/** Of the library in each format, and of the whole package with the sentences that editors show. */
const CODE_SIZE_MAX = 12_000;
const SIZE_MAX = 45_000;

let made: ClientPackage;
let project: string;

/** An empty project in which the package is installed. */
beforeAll(async () => {
  made = await toClientPackage("http://127.0.0.1:3000");
  project = mkdtempSync(path.join(tmpdir(), "client-"));
  const folder = path.join(project, "node_modules/floatdeck");
  mkdirSync(folder, { recursive: true });
  const archive = path.join(project, "client.tgz");
  writeFileSync(archive, made.bytes);
  await exec("tar", ["xzf", archive, "-C", folder, "--strip-components=1"]);
  writeFileSync(path.join(project, "package.json"), '{"type":"module"}');
});

afterAll(() => rmSync(project, { recursive: true }));

test("the same contract makes the same bytes, and another address others", async () => {
  expect(await toClientPackage("http://127.0.0.1:3000")).toEqual(made);
  expect((await toClientPackage("https://cards.example")).path).not.toBe(made.path);
});

test(`the library has at most ${CODE_SIZE_MAX} bytes in each format, the package ${SIZE_MAX}`, async () => {
  const files = await toClientFiles("http://127.0.0.1:3000");
  for (const name of ["index.js", "index.cjs"]) {
    expect(Buffer.byteLength(files[name] ?? "")).toBeLessThanOrEqual(CODE_SIZE_MAX);
  }
  expect(made.bytes.length).toBeLessThanOrEqual(SIZE_MAX);
});

test("the types say what the document says of each member", async () => {
  const { "contract.d.cts": types } = await toClientFiles("http://127.0.0.1:3000");
  expect(types).toContain(`/** ${GLOSSARY.single_use} */\nsingle_use: boolean;`);
  const [, card = ""] = types?.split("export interface Card {") ?? [];
  const [members = ""] = card.split("\n}");
  const lines = members.trim().split("\n");
  expect(
    lines.filter((_line, at) => at % 2 === 0).every((line) => /^\/\*\* .*\. \*\/$/u.test(line)),
  ).toBe(true);
  expect(lines.length).toBeGreaterThan(40);
});

test("each operation has a name of its own", () => {
  const names = OPERATIONS.filter(isForClients).map(toClientName);
  expect(names.length).toBeGreaterThan(30);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  expect(names).toContain("cards.freeze");
});

/** What the compiler says about a program, under `strict` and with no other library than the language's own. */
async function compile(program: string, environment = ["--lib", "es2022"]): Promise<string> {
  const file = path.join(project, "program.ts");
  writeFileSync(file, program);
  const options = ["--strict", "--noEmit", "--target", "es2022", "--module", "nodenext"];
  return exec(TSC, [...options, ...environment, file], { cwd: project }).then(
    () => "",
    (error: { stdout: string }) => error.stdout,
  );
}

const IMPORT = `import { Floatdeck, FloatdeckError, verifyWebhook } from "floatdeck"; void Floatdeck; void FloatdeckError; void verifyWebhook;\n`;
const CLIENT = `const client = new Floatdeck({ apiKey: "fd_test" });\n`;

test("the reference's call of each operation compiles", async () => {
  const calls = OPERATIONS.flatMap(
    (operation) => toClientCall(operation, operation.examples[0].body) ?? [],
  );
  expect(calls).toContain("await client.cards.get(cardId);");
  const ids = new Set(calls.flatMap((text) => /\((?<id>\w+)/u.exec(text)?.groups?.["id"] ?? []));
  const declared = [...ids].map((id) => `declare const ${id}: string;`);
  expect(await compile([IMPORT + CLIENT, ...declared, ...calls].join("\n"))).toBe("");
});

describe("a program that uses it", () => {
  test("compiles under strict, and narrows errors and events", async () => {
    const cases = Object.keys(EVENTS).map((name) => `case "${name}": return event.data;`);
    const program = `${CLIENT}
      export async function main(): Promise<number> {
        try {
          const card = await client.cards.credit({ card_id: "a", amount: 2000 }, { idempotencyKey: "k" });
          await client.cards.freeze(card.id, { reason: "lost" });
          for await (const each of client.cards.list({ limit: 10 })) { const id: string = each.id; void id; }
          const [first] = await client.cards.list();
          return first ? first.available : 0;
        } catch (error) {
          if (error instanceof FloatdeckError && error.code === "insufficient_float") {
            const code: "insufficient_float" = error.code;
            return code.length + error.status;
          }
          throw error;
        }
      }
      export async function receive(headers: Record<string, string>, body: string): Promise<unknown> {
        const event = await verifyWebhook("whsec_a", headers, body);
        switch (event.event) { ${cases.join("\n")} }
      }`;
    expect(await compile(IMPORT + program)).toBe("");
  });

  test.each([
    [
      "a misspelled event",
      `const event = await verifyWebhook("s", {}, ""); if (event.event === "card.frozn") throw event; export {};`,
    ],
    [
      "a member that an event's data does not have",
      `const event = await verifyWebhook("s", {}, ""); if (event.event === "card.frozen") event.data.frozen_by; export {};`,
    ],
    ["a misspelled member", `${CLIENT} await client.cards.credit({ card_id: "a", amout: 2000 });`],
    ["a member of an answer that is not there", `${CLIENT} (await client.cards.get("a")).balanse;`],
    [
      "a misspelled error code",
      `const error = new Error(); if (error instanceof FloatdeckError && error.code === "insufficient_flaot") throw error;`,
    ],
    [
      "an amount that is text",
      `${CLIENT} await client.cards.credit({ card_id: "a", amount: "20.00" });`,
    ],
    [
      "a misspelled filter",
      `${CLIENT} for await (const card of client.cards.list({ stauts: "active" })) void card;`,
    ],
  ])("does not compile with %s", async (_what, program) => {
    expect(await compile(IMPORT + program)).toContain("program.ts(");
  });
});

const programs = readBlocks("client.md").filter(({ language }) => language === "js");

test.each(programs)("the guide's program $use compiles", async ({ text }) => {
  const types = path.join(TSC, "../../@types");
  expect(await compile(text, ["--typeRoots", types, "--types", "node", "--skipLibCheck"])).toBe("");
});
