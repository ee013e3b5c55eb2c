import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { PROBLEMS } from "#lib/api/wire/problem.ts";
import { ERROR_CODES } from "#lib/base/errors.ts";

test("docs/errors.md documents exactly the existing error codes, with their statuses", () => {
  const text = readFileSync(path.join(import.meta.dirname, "../../docs/errors.md"), "utf8");
  const explained = [...text.matchAll(/^### (?<code>\w+)\n\n(?<status>\d{3})\. \S/gmu)].map(
    ({ groups }) => `${groups?.["code"]} ${groups?.["status"]}`,
  );
  const known = ERROR_CODES.map((code) => `${code} ${PROBLEMS[code].status}`);
  expect(explained.toSorted()).toEqual(known.toSorted());
});
