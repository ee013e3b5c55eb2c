import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";
import { toProblemAnswer } from "#lib/api/wire/answer.ts";
import { isStorable } from "#lib/api/wire/problem.ts";
import { PROBLEMS } from "#lib/base/error-codes.ts";
import { ERROR_CODES } from "#lib/base/error-codes.ts";
import type { ErrorCode } from "#lib/base/error-codes.ts";
import { newId } from "#lib/base/ids.ts";

function isFinal(code: ErrorCode): boolean {
  const at = { instance: "", requestId: "" };
  return !("Retry-After" in toProblemAnswer({ code, detail: "", errors: undefined }, at).headers);
}

test("of the refusals below 500, five are not final", () => {
  const passing = ERROR_CODES.filter((code) => PROBLEMS[code].status < 500 && !isFinal(code));
  expect(passing).toEqual([
    "fact_unmatched",
    "clock_advancing",
    "idempotency_in_progress",
    "request_timeout",
    "rate_limited",
  ]);
});

test("the guide says Retry-After of exactly the codes that are answered with it", () => {
  const [beginning = "", ...sections] = readFileSync("docs/errors.md", "utf8").split("\n### ");
  const [, statuses = ""] = /with `Retry-After`, as each ([\d, and]+) has/iu.exec(beginning) ?? [];
  const general = statuses.match(/\d+/gu)?.map(Number) ?? [];
  const named = sections.filter((section) => section.includes("`Retry-After`"));
  const codes = [
    ...ERROR_CODES.filter((code) => general.includes(PROBLEMS[code].status)),
    ...named.map((section) => section.split("\n")[0]),
  ];
  expect(new Set(codes)).toEqual(new Set(ERROR_CODES.filter((code) => !isFinal(code))));
});

test("a key keeps every final 409 and 422 but validation_failed, and no other refusal", () => {
  const kept = ERROR_CODES.filter(isStorable);
  const expected = ERROR_CODES.filter(
    (code) =>
      [409, 422].includes(PROBLEMS[code].status) && isFinal(code) && code !== "validation_failed",
  );
  expect(kept).toEqual(expected);
});

function toMetadata(keys: number) {
  return {
    metadata: Object.fromEntries(Array.from({ length: keys }, (_, at) => [`k_${at}`, "x"])),
  };
}

/** Sends a request twice under one key, with another body the second time. */
async function sendTwice(
  line: string,
  key: string,
  [wrong, right]: readonly [object, object],
): Promise<unknown[]> {
  const headers = { "Idempotency-Key": newId() };
  const refused = await call(line, { key, headers, body: wrong });
  expect(refused.headers.has("retry-after")).toBe(false);
  const { status } = await call(line, { key, headers, body: right });
  return [(refused.json as { code: string }).code, status];
}

test("a key is free for the correct request after a refusal of the form, wherever that is found", async () => {
  const { apiKey, ...integrator } = await newIntegrator(1_000);
  const { id } = await newCard({ apiKey, ...integrator });
  const credit = (amount: number) => ({ card_id: id, amount });
  expect(
    await sendTwice("PATCH /cards/credit/balance", apiKey, [credit(20.5), credit(20)]),
  ).toEqual(["validation_failed", 200]);
  // The limits of metadata are judged under the card's lock.
  await call(`PATCH /cards/${id}`, { key: apiKey, body: { metadata: { own: "x" } } });
  expect(await sendTwice(`PATCH /cards/${id}`, apiKey, [toMetadata(20), toMetadata(19)])).toEqual([
    "validation_failed",
    200,
  ]);
});
