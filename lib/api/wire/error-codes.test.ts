import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { toProblem } from "#lib/api/wire/problem.ts";
import { PROBLEMS } from "#lib/base/error-codes.ts";
import { ERROR_CODES } from "#lib/base/error-codes.ts";
import type { ErrorCode } from "#lib/base/error-codes.ts";

function messageOf(code: ErrorCode): string {
  return toProblem({ code, detail: "", errors: undefined }, { instance: "", requestId: "" })
    .message;
}

test("docs/errors.md documents exactly the existing error codes, with their statuses", () => {
  const text = readFileSync(path.join(import.meta.dirname, "../../../docs/errors.md"), "utf8");
  const explained = [...text.matchAll(/^### (?<code>\w+)\n\n(?<status>\d{3})\. \S/gmu)].map(
    ({ groups }) => `${groups?.["code"]} ${groups?.["status"]}`,
  );
  const known = ERROR_CODES.map((code) => `${code} ${PROBLEMS[code].status}`);
  expect(explained.toSorted()).toEqual(known.toSorted());
});

test("every code has a title of its own; clients of an earlier service read the message", () => {
  const titles = ERROR_CODES.map((code) => PROBLEMS[code].title);
  expect(new Set(titles).size).toBe(ERROR_CODES.length);
  expect(messageOf("insufficient_float")).toBe("Unprocessable entity");
  expect(messageOf("user_already_exists")).toBe("already_exists");
  expect(messageOf("card_not_found")).toBe("Not found");
  expect(messageOf("card_closed")).toBe("Card closed");
});
