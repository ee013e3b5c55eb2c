import { expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { MEANT } from "#lib/api/edge/internal/near-miss.ts";
import { OPERATIONS } from "#lib/operations/operations.ts";
import type { Operation } from "#lib/operations/operation.ts";
import { newId } from "#lib/base/ids.ts";

const all: readonly Operation[] = OPERATIONS;
const toRequest = (line: string) => line.replaceAll(/\{(?:id|key)\}/gu, newId());
const toName = ({ method, path }: Operation) => `Did you mean ${method} /api${path}?`;

async function readDetail(line: string): Promise<string> {
  const { status, json } = await call(toRequest(line));
  expect([line, [404, 405].includes(status)]).toEqual([line, true]);
  expect(["path_unknown", "method_not_allowed"]).toContain(Object(json).code);
  return String(Object(json).detail);
}

test("what users of other APIs would call is answered with the operation that they mean", async () => {
  for (const [line, id] of Object.entries(MEANT)) {
    const operation = all.find((each) => each.id === id);
    expect([line, await readDetail(line)]).toEqual([
      line,
      expect.stringContaining(operation ? toName(operation) : "an operation"),
    ]);
  }
});

test("every operation with another method is answered with an operation of its path", async () => {
  const meant = new Set(Object.keys(MEANT));
  for (const { path } of all) {
    const line = `PUT ${path}`;
    const detail = meant.has(line) ? "" : await readDetail(line);
    expect(detail).toContain(`/api${path}?`);
  }
});

test.each([
  ["GET /card", "GET /api/cards?"],
  ["GET /cards/{id}/transaction", "GET /api/cards/{id}/transactions?"],
  ["PATCH /cards/{id}/freze", "PATCH /api/cards/{id}/freeze?"],
  ["POST /cards/{id}/freeze", "PATCH /api/cards/{id}/freeze?"],
  ["PUT /cards/{id}", "PATCH /api/cards/{id}?"],
  ["POST /card-integrators/card-users/{id}", "PATCH /api/card-integrators/card-users/{id}?"],
  ["HEAD /card", "GET /api/cards?"],
  ["POST /cards/create_virtual_card", "POST /api/cards/create-virtual-card?"],
  ["GET /Events", "GET /api/events?"],
])("%s is answered with %s", async (line, meant) => {
  expect(await readDetail(line)).toContain(`Did you mean ${meant}`);
});

test.each(["GET /nothing/like/it", `GET /${"x".repeat(3_000)}`, "GET /cards/{id}/a/b/c"])(
  "%.30s resembles nothing, and is answered without a guess",
  async (line) => {
    expect(await readDetail(line)).toBe("No resource exists at this path.");
  },
);
