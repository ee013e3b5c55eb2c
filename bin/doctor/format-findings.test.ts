import { array, assert, constantFrom, property, record } from "fast-check";
import { expect, test } from "vitest";
import { formatFindings } from "./format-findings.ts";

const ORDER = ["ok", "skipped", "warning", "problem"] as const;

const findings = array(
  record({
    name: constantFrom("disk", "mail", "connections"),
    status: constantFrom(...ORDER),
    detail: constantFrom("It is full.", "It works."),
    action: constantFrom(null, "Do this."),
  }),
);

test("every finding is listed, the gravest last, those of one status in their order, and then how many there are", () => {
  assert(
    property(findings, (checks) => {
      const lines = formatFindings(checks).split("\n");
      const [listed, summary] = [lines.slice(0, -1).join(" "), lines.at(-1) ?? ""];
      const expected = ORDER.flatMap((status) => checks.filter((each) => each.status === status));
      const texts = expected.map(({ name, status, detail, action }) =>
        [status, name, detail, ...(action === null ? [] : [action])].join(" "),
      );
      expect(listed.replaceAll(/\s+/gu, " ").trim()).toBe(texts.join(" "));
      const wrong = checks.filter(({ status }) => status !== "ok").length;
      const counts = [...summary.matchAll(/[0-9]+/gu)].map(Number);
      expect(counts.reduce((sum, each) => sum + each, 0)).toBe(wrong);
    }),
  );
});
