import { beforeAll, expect, test } from "vitest";
import type { ApiReply } from "#test/scene/api-client.ts";
import { createChecker, readDocument, toOperations } from "#test/scene/document.ts";
import type { DocumentedOperation } from "#test/scene/document.ts";
import { prepareExample } from "#test/scene/examples.ts";
import { newTenant } from "#test/scene/tenant.ts";
import type { Tenant } from "#test/scene/tenant.ts";
import { OPERATIONS } from "#lib/operations/operations.ts";
import type { Operation } from "#lib/operations/operation.ts";

/**
 * Every operation's example is sent to the server, which answers what the example says. Events, which are listed with a
 * delay, are compared with their examples in lib/webhooks/event-documents.test.ts.
 */

let tenant: Tenant;
let documented: Map<string, DocumentedOperation>;
let check: ReturnType<typeof createChecker>;

beforeAll(async () => {
  tenant = await newTenant();
  const document = await readDocument();
  documented = toOperations(document);
  check = createChecker(document);
});

/** Members whose own members the caller or the account chooses. */
const FREE = new Set([
  "metadata",
  "before",
  "after",
  "body",
  "previous",
  "request_headers",
  "response_headers",
]);

/** Where two values differ in their members. An absent value and an empty list have none to compare. */
function findDifferences(shown: unknown, real: unknown, at = "answer"): string[] {
  if (shown === null || real === null) {
    return [];
  }
  if (Array.isArray(shown) && Array.isArray(real)) {
    return findElementsThatDiffer(shown, real, at);
  }
  if (isObject(shown) && isObject(real)) {
    return findMembersThatDiffer(shown, real, at);
  }
  return typeof shown === typeof real ? [] : [`${at} is a ${typeof real}`];
}

function findElementsThatDiffer(
  shown: readonly unknown[],
  real: readonly unknown[],
  at: string,
): string[] {
  const isComparable = shown.length > 0 && real.length > 0;
  return isComparable ? findDifferences(shown[0], real[0], `${at}[]`) : [];
}

type Members = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Members {
  return typeof value === "object" && !Array.isArray(value);
}

function findMembersThatDiffer(shown: Members, real: Members, at: string): string[] {
  return Object.keys({ ...shown, ...real }).flatMap((name) => {
    if (!(name in shown) || !(name in real)) {
      return [`${at}.${name} is only in one`];
    }
    return FREE.has(name) ? [] : findDifferences(shown[name], real[name], `${at}.${name}`);
  });
}

test.each(OPERATIONS.map((operation) => [operation.id, operation] as const))(
  "%s: its examples are sent, fit their schema, and are answered with the members that they show",
  async (_, operation) => {
    const [example] = operation.examples;
    const { answer, body } = findContents(operation);
    expect(answer.examples?.example.value).toEqual(example.answer);
    expect(check(answer.schema, example.answer)).toBeNull();
    expect(check(body.schema, body.example)).toBeNull();
    const send = await prepareExample(tenant, operation, example);
    const reply = await send();
    expect(`${reply.status} ${reply.text}`).toMatch(new RegExp(`^${operation.status} `, "u"));
    expect(check(answer.schema, reply.json ?? reply.text)).toBeNull();
    expect(toDifferences(operation, reply)).toEqual([]);
    for (const further of operation.examples.slice(1)) {
      const sendFurther = await prepareExample(tenant, operation, further);
      const { status, text, json } = await sendFurther();
      expect(`${status} ${text}`).toMatch(new RegExp(`^${operation.status} `, "u"));
      expect(check(answer.schema, json)).toBeNull();
    }
  },
  30_000,
);

/** What the document says of the answer and of the body, which is anything where there is none. */
function findContents({ id, status }: Operation) {
  const described = documented.get(id);
  const [answer] = Object.values(described?.responses[status]?.content ?? {});
  const body = described?.requestBody?.content["application/json"];
  if (!answer) {
    throw new Error(`The document does not describe the answer of ${id}.`);
  }
  return { answer, body: body ?? { schema: {}, example: null } };
}

function toDifferences(
  { id, path, examples: [{ answer }] }: Operation,
  { json, text }: ApiReply,
): string[] {
  if (path.startsWith("/exports/")) {
    const [columns = ""] = String(answer).split("\r\n");
    return text.startsWith(`${columns}\r\n`) ? [] : [text.slice(0, 500)];
  }
  // The document is its own example.
  return id === "getOpenApi" ? [] : findDifferences(answer, json ?? text);
}
