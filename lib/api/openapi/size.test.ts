import { array, assert, constantFrom, dictionary, property, record, subarray } from "fast-check";
import { expect, test } from "vitest";
import { toOpenApi } from "#lib/api/openapi.ts";
import { extendSchemas, toWholeSchemas } from "#lib/api/openapi/extend-schemas.ts";
import type { JsonSchema } from "#lib/api/openapi/schemas.ts";
import { toWholeDocument } from "#lib/api/openapi/whole-document.ts";

const document = toOpenApi("http://127.0.0.1:3000");
const text = JSON.stringify(document);

/** 545 kB for the 144 operations and events that there were when the document was made small. */
const SIZE_MAX = 3_785;

test(`the document has at most ${SIZE_MAX} bytes for each operation and event`, () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.keys(methods));
  const entries = operations.length + Object.keys(document.webhooks).length;
  expect(Buffer.byteLength(text) / entries).toBeLessThanOrEqual(SIZE_MAX);
});

test("each component is referred to, and each reference names one", () => {
  const used = new Set(
    [...text.matchAll(/"#\/components\/(?<name>[^"]+)"/gu)].map(({ groups }) => groups?.["name"]),
  );
  const { securitySchemes: _credentials, ...components } = document.components;
  const named = Object.entries(components).flatMap(([kind, all]) =>
    Object.keys(all).map((name) => `${kind}/${name}`),
  );
  expect(used).toEqual(new Set(named));
});

test("a whole document refers to nothing but schemas", () => {
  const whole = toWholeDocument(document);
  expect(whole).toContain('"#/components/schemas/');
  expect(whole.match(/"#\/components\/(?!schemas\/)[^"]*"/u)).toBeNull();
  expect(whole.includes('"allOf":[{"$ref"')).toBe(false);
});

test("no schema has a pattern that repeats its format, and no answer a bound that every number has", () => {
  expect(text.match(/"format":"(?:date|date-time|uuid)","pattern"/u)).toBeNull();
  const { schemas, responses } = document.components;
  const named = Object.entries(schemas).filter(([name]) => !name.endsWith("Input"));
  const answers = JSON.stringify([Object.fromEntries(named), responses]);
  expect(answers.includes(String(Number.MAX_SAFE_INTEGER))).toBe(false);
});

const NAMES = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];

const members = dictionary(
  constantFrom(...NAMES),
  constantFrom<JsonSchema>(
    { type: "string" },
    { type: "string", const: "x" },
    { type: "object" },
    { type: "object", properties: { a: { type: "string" } } },
  ),
);

const schema = record({ properties: members, required: subarray(NAMES) });

/** Each object extends the one before it, and narrows some of its members. */
const families = array(schema, { minLength: 2, maxLength: 4 }).map((steps) => {
  let last: JsonSchema = { type: "object", properties: {}, required: [] };
  return Object.fromEntries(
    steps.map(({ properties, required }, at) => {
      const all = [...new Set([...(last.required ?? []), ...required])];
      last = { ...last, properties: { ...last.properties, ...properties }, required: all };
      return [`S${at}`, last];
    }),
  );
});

test("an extension is whole again with the same members, whatever extends what", () => {
  let extended = 0;
  assert(
    property(families, (components) => {
      const extensions = extendSchemas(components);
      extended += JSON.stringify(extensions).includes("allOf") ? 1 : 0;
      const whole = toWholeSchemas(extensions);
      for (const [name, { properties, required, type }] of Object.entries(components)) {
        expect({ ...whole[name], required: new Set(whole[name]?.required) }).toEqual({
          type,
          properties,
          required: new Set(required),
        });
      }
    }),
    { numRuns: 500 },
  );
  expect(extended).toBeGreaterThan(20);
});
