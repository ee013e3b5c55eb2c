import { z } from "zod";
import { moment } from "#lib/api/contract/fields.ts";
import { PERIOD_NAMES, PERIOD_UNITS, toDays } from "#lib/base/calendar-period.ts";
import type { PeriodUnit } from "#lib/base/calendar-period.ts";
import { PERIOD_DAYS_MAX } from "#lib/statements/period.ts";
import { addDays } from "#lib/base/time-zone.ts";

/** The ways to ask for the period of a statement. */

const ONE_PERIOD = "A statement has one period: one of these, or from and to.";

const nameOf = (unit: PeriodUnit) =>
  z
    .string()
    .refine(
      (name) => toDays(unit, name) !== undefined,
      `This field must be ${PERIOD_NAMES[unit]}, from 1970 to 9998.`,
    )
    .meta({ "x-rule": `From 1970 to 9998: ${PERIOD_NAMES[unit]}. ${ONE_PERIOD}` })
    .optional();

/** A period in days of the account's time zone. Without any of these, it is the current month. */
export const statementPeriod = {
  day: nameOf("day").describe("One day, such as 2026-10-31."),
  week: nameOf("week").describe("A week of ISO 8601, Monday to Sunday, such as 2026-W44."),
  month: nameOf("month").describe(
    "A month, such as 2026-10. Without any period, it is the current month.",
  ),
  quarter: nameOf("quarter").describe("A quarter, such as 2026-Q4."),
  from: nameOf("day").describe("The first day of a period of your own, together with to."),
  to: nameOf("day").describe(
    `The last day of the period that begins with from: it is included, and at most ${PERIOD_DAYS_MAX} days are.`,
  ),
};

/** A statement, or the balance at a moment. */
export const statementPeriodOrMoment = {
  ...statementPeriod,
  at: moment
    .meta({ "x-rule": ONE_PERIOD })
    .optional()
    .describe(
      "A moment instead of a period: opening and closing balance are the balance right before it.",
    ),
};

const WAYS = [...PERIOD_UNITS, "from", "at"] as const;

/** Allows only one period, and only a complete one. For `check` of a query with these members. */
export function requireOnePeriod({
  value,
  issues,
}: {
  value: Partial<Record<(typeof WAYS)[number] | "to", string | Date | undefined>>;
  issues: z.core.$ZodRawIssue[];
}): void {
  const refuse = (name: string, message: string) =>
    issues.push({ code: "custom", input: value, path: [name], message });
  const [first, ...others] = WAYS.filter((name) => value[name] !== undefined);
  for (const other of others) {
    refuse(other, `This field cannot be given together with ${first}: a statement has one period.`);
  }
  const { from, to } = value;
  if (typeof from !== "string" || typeof to !== "string") {
    refuseHalf({ from, to }, refuse);
    return;
  }
  const fault = findDaysFault(from, to);
  if (fault !== null) {
    refuse("to", fault);
  }
}

/** What is wrong with the two days together. The schema of each day reports a malformed one. */
function findDaysFault(from: string, to: string): string | null {
  if (!toDays("day", from) || !toDays("day", to)) {
    return null;
  }
  if (to < from) {
    return "This field must not be before from.";
  }
  return to >= addDays(from, PERIOD_DAYS_MAX)
    ? `This field must be at most ${PERIOD_DAYS_MAX - 1} days after from.`
    : null;
}

function refuseHalf(
  given: Readonly<Record<"from" | "to", unknown>>,
  refuse: (name: string, message: string) => void,
): void {
  if (given.from !== undefined) {
    refuse("from", "This field is allowed only together with to.");
  }
  if (given.to !== undefined) {
    refuse("to", "This field is allowed only together with from.");
  }
}
