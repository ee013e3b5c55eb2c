import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { toCodeExamples } from "./curl.ts";
import { findOperation } from "./reference.ts";
import { OPERATIONS } from "#lib/operations/operations.ts";
import { takesIdempotencyKey } from "#lib/operations/refusals.ts";

function toCurl(id: string): string {
  const operation = findOperation(id);
  const examples = operation ? toCodeExamples(operation, "http://127.0.0.1:3000/api") : [];
  return examples.find(({ language }) => language === "curl")?.text ?? "";
}

/** The idempotency key that a shell sends with a command. */
function runFor(command: string): string | undefined {
  const script = `curl() { printf '%s\\n' "$@"; }; uuidgen() { echo "key-$$"; }; ${command}`;
  const sent = execFileSync("sh", ["-c", script], { encoding: "utf8" });
  return /^Idempotency-Key: (?<key>.*)$/mu.exec(sent)?.groups?.["key"];
}

test("each call of the reference's curl carries a fresh idempotency key", () => {
  const keyed = OPERATIONS.filter(takesIdempotencyKey).map(({ id }) => toCurl(id));
  expect(keyed.length).toBeGreaterThan(30);
  for (const command of keyed) {
    const keys = [runFor(command), runFor(command)];
    expect(keys).toEqual([
      expect.stringMatching(/^key-\d+$/u),
      expect.stringMatching(/^key-\d+$/u),
    ]);
    expect(keys[0]).not.toBe(keys[1]);
  }
  expect(runFor(toCurl("listCards"))).toBeUndefined();
});
