import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { toCurl } from "./to-curl.ts";
import type { DetailedRequest } from "#lib/record/request-log.ts";

const REQUEST: DetailedRequest = {
  id: "0198e1b2-0000-7000-8000-000000000000",
  actor: null,
  operation: "creditCard",
  method: "PATCH",
  path: "/api/cards/credit/balance",
  status: 422,
  code: "insufficient_float",
  detail: null,
  cardId: null,
  durationMs: 4,
  requestId: "0198e1b2-0000-7000-8000-000000000001",
  address: null,
  apiVersion: "0.5.0",
  idempotencyKey: "7f1c",
  replayed: false,
  bodies: "kept",
  createdAt: new Date(),
  request: null,
  response: null,
};

/** The words that a shell makes of a command. */
function toWords(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }; uuidgen() { echo new-key; }; API_KEY=secret; ${command}`;
  return execFileSync("sh", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1);
}

test("the command is what was sent, with a new idempotency key and the reader's own API key", () => {
  const command = toCurl(REQUEST, { origin: "http://127.0.0.1:3000", body: `{"amount":1}` });
  expect(command).not.toContain("secret");
  expect(toWords(command)).toEqual([
    "-X",
    "PATCH",
    "http://127.0.0.1:3000/api/cards/credit/balance",
    "-H",
    "Authorization: Bearer secret",
    "-H",
    "Api-Version: 0.5.0",
    "-H",
    "Idempotency-Key: new-key",
    "-H",
    "Content-Type: application/json",
    "-d",
    `{"amount":1}`,
  ]);
});

test("nothing in the path or the body is taken for a command", () => {
  const hostile = `'; echo $API_KEY \`id\` "$(id)" \\ \n'`;
  const words = toWords(
    toCurl(
      { ...REQUEST, path: `/api/${hostile}`, idempotencyKey: null, apiVersion: null },
      { origin: "http://a.example", body: hostile },
    ),
  );
  expect(words[2]).toBe(`http://a.example/api/${hostile}`);
  expect(words.at(-1)).toBe(hostile);
  expect(words).toHaveLength(9);
});
