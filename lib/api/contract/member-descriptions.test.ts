import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { toWholeDocument } from "#lib/api/openapi/whole-document.ts";
import { GLOSSARY } from "#lib/api/contract/glossary.ts";

interface Described {
  at: string;
  name: string;
  description: string | undefined;
}

interface Document {
  paths: Record<string, Record<string, { parameters: unknown[] }>>;
}

let members: Described[];
let parameters: Described[];

beforeAll(async () => {
  const document: Document = JSON.parse(
    toWholeDocument(JSON.parse((await call("GET /openapi.json")).text)),
  );
  members = findMembers(document);
  parameters = Object.entries(document.paths).flatMap(([at, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      operation.parameters.flatMap((each) => toParameter(`${method} ${at}`, Object(each))),
    ),
  );
});

/** Examples are not schemas, and a condition speaks of members that its object declares. */
const SKIPPED: ReadonlySet<string> = new Set(["example", "examples", "if", "then", "not"]);

/** The members of every object in a part of the document. */
function findMembers(part: unknown, at = ""): Described[] {
  if (part === null || typeof part !== "object") {
    return [];
  }
  return Object.entries(part).flatMap(([key, inside]) => {
    if (SKIPPED.has(key)) {
      return [];
    }
    const found = findMembers(inside, `${at}/${key}`);
    return key === "properties" ? [...toMembers(at, Object(inside)), ...found] : found;
  });
}

function toMembers(at: string, properties: Record<string, { description?: string }>): Described[] {
  return Object.entries(properties).map(([name, { description }]) => ({ at, name, description }));
}

/** A parameter that is declared here; those of all operations are described as components. */
function toParameter(
  at: string,
  { $ref, name = "", description }: { $ref?: string; name?: string; description?: string },
): Described[] {
  return $ref === undefined ? [{ at, name, description }] : [];
}

test("every member and parameter of the served document has a description", () => {
  expect(members.length).toBeGreaterThan(1_000);
  expect(parameters.length).toBeGreaterThan(100);
  const missing = [...members, ...parameters].filter(({ description }) => !description);
  expect(missing.map(({ at, name }) => `${at} ${name}`)).toEqual([]);
});

test("every description is made of sentences", () => {
  const odd = [...members, ...parameters].filter(
    ({ description = "" }) => !/^["`A-Za-z0-9].*\.$/su.test(description),
  );
  expect(odd.map(({ at, name, description }) => `${at} ${name}: ${description}`)).toEqual([]);
});

test("every sentence of the glossary is used by several members", () => {
  expect(Object.entries(GLOSSARY).filter((entry) => countUses(entry) < 2)).toEqual([]);
});

function countUses([name, sentence]: [string, string]): number {
  return [...members, ...parameters].filter(
    (each) => each.name === name && each.description === sentence,
  ).length;
}

test("no description is written twice", () => {
  const root = path.join(import.meta.dirname, "../..");
  const written = globSync("{api,events,operations}/**/*.ts", { cwd: root })
    .filter((file) => !file.endsWith(".test.ts"))
    .flatMap((file) =>
      [...readFileSync(path.join(root, file), "utf8").matchAll(DESCRIPTION)].map(
        ({ groups }) => groups?.["text"] ?? "",
      ),
    );
  expect(written.length).toBeGreaterThan(100);
  const sentences = [...written, ...Object.values(GLOSSARY)];
  expect(sentences.filter((text, at) => sentences.indexOf(text) !== at)).toEqual([]);
});

const DESCRIPTION = /\.describe\(\s*["'`](?<text>[^\n]+?)["'`],?\s*\)/gu;
