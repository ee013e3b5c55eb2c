import { globSync } from "node:fs";
import path from "node:path";
import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { OPERATIONS } from "#lib/operations/operations.ts";
import type { Operation } from "#lib/operations/operation.ts";

const all: readonly Operation[] = OPERATIONS;
const lineOf = ({ method, path: at }: { method: string; path: string }) => `${method} ${at}`;
const declared = all.map(lineOf).toSorted();

async function readDocument(): Promise<{
  openapi: string;
  paths: Record<string, Record<string, Record<string, unknown>>>;
  components: { schemas: Record<string, Record<string, unknown>> };
}> {
  const reply = await call("GET /openapi.json");
  expect(reply.status).toBe(200);
  return JSON.parse(reply.text);
}

test("the OpenAPI document is valid OpenAPI 3.1", async () => {
  const document = await readDocument();
  expect(document.openapi).toMatch(/^3\.1\./u);
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
});

test("the document describes exactly the declared operations", async () => {
  const { paths } = await readDocument();
  const described = Object.entries(paths).flatMap(([at, item]) =>
    Object.keys(item)
      .filter((name) => /^(?:get|post|patch|put|delete)$/u.test(name))
      .map((method) => lineOf({ method: method.toUpperCase(), path: at })),
  );
  expect(described.map((line) => line.replace(" /api/", " /")).toSorted()).toEqual(declared);
});

test("the route files bind exactly the declared operations, each at its own path", async () => {
  const root = path.join(import.meta.dirname, "../../app/api");
  const bound: string[] = [];
  for (const file of globSync("**/route.ts", { cwd: root })) {
    if (file.includes("[...")) {
      continue;
    }
    const folder = `/${path.dirname(file)}`.replaceAll(/\[(\w+)\]/gu, "{$1}");
    const exported: Record<string, { operation?: Operation }> = await import(path.join(root, file));
    for (const [method, handler] of Object.entries(exported)) {
      expect(handler.operation).toMatchObject({ method, path: folder });
      bound.push(lineOf({ method, path: folder }));
    }
  }
  expect(bound.toSorted()).toEqual(declared);
});

test("a deprecated operation is marked, and each one names its scope", async () => {
  const { paths } = await readDocument();
  const find = (at: string) => paths[at] ?? paths[`/api${at}`];
  expect(find("/cards/top-up")?.["patch"]).toMatchObject({ deprecated: true });
  expect(JSON.stringify(find("/cards/credit/balance"))).toContain("funds:write");
});

/** Every schema in a part of the document, with the path to it. */
function findSchemas(part: unknown, at = ""): { at: string; schema: Record<string, unknown> }[] {
  if (part === null || typeof part !== "object") {
    return [];
  }
  const inside = Object.entries(part).flatMap(([name, each]) => findSchemas(each, `${at}/${name}`));
  return "type" in part ? [{ at, schema: { ...part } }, ...inside] : inside;
}

const isClosed = ({ schema }: { schema: Record<string, unknown> }) =>
  schema["additionalProperties"] === false;

test("no schema of an answer forbids members, so that adding one breaks no client", async () => {
  const { paths, components } = await readDocument();
  const answers = Object.values(paths).flatMap((item) =>
    Object.values(item).map(({ responses }) => responses),
  );
  // Those of requests have names of their own.
  const named = Object.entries(components.schemas).filter(([name]) => !name.endsWith("Input"));
  const schemas = findSchemas([answers, Object.fromEntries(named)]);
  expect(schemas.length).toBeGreaterThan(100);
  expect(schemas.filter(isClosed).map(({ at }) => at)).toEqual([]);
});

test("every object in a request body forbids unknown members, as the server does", async () => {
  const { paths } = await readDocument();
  const bodies = Object.values(paths).flatMap((item) =>
    Object.values(item).map(({ requestBody }) => requestBody),
  );
  const objects = findSchemas(bodies).filter(({ schema }) => schema["type"] === "object");
  expect(objects.length).toBeGreaterThan(30);
  const open = objects
    .filter((each) => !isClosed(each))
    .map(({ at }) => at.replace(/^.*schema/u, ""));
  // Metadata and headers have any keys.
  expect(new Set(open)).toEqual(
    new Set([
      "/properties/headers",
      "/properties/metadata",
      "/properties/filter/properties/metadata",
    ]),
  );
});
