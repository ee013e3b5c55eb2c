import type { z } from "zod";
import { Conditions, when } from "#lib/api/contract/conditions.ts";
import { SIMULATIONS } from "#lib/transactions/transaction-kinds.ts";
import type { Simulation } from "#lib/transactions/transaction-kinds.ts";

/** The types that require a member, and those that allow it. */
interface Rule {
  name:
    | "amount"
    | "transaction_id"
    | "decline_with"
    | "allow_partial"
    | "earlier"
    | "final"
    | "merchant_amount"
    | "occurred_at";
  required?: readonly Simulation[];
  optional?: readonly Simulation[];
}

type Ruled = Rule["name"];

const ASKING = ["deduct", "authorize", "verification"] as const;

/** A member without a rule may be sent with every type. */
const RULES: readonly Rule[] = [
  {
    name: "amount",
    required: ["deduct", "deduct-reversal", "authorize", "advice", "increment", "posting"],
    optional: ["capture", "reversal", "refund"],
  },
  {
    name: "transaction_id",
    required: ["increment", "capture", "reversal", "expire", "refund", "take-back"],
    optional: ["deduct-reversal", "advice"],
  },
  { name: "decline_with", optional: ASKING },
  { name: "allow_partial", optional: ["authorize"] },
  { name: "earlier", optional: ["authorize"] },
  { name: "final", optional: ["capture"] },
  { name: "merchant_amount", optional: [...ASKING, "advice", "capture"] },
  {
    name: "occurred_at",
    optional: SIMULATIONS.filter((type) => type !== "expire" && type !== "take-back"),
  },
];

const TYPE_LIST = new Intl.ListFormat("en-US");

/** Refuses a simulation without a member that its type needs, or with one that its type does not take. */
export function requireMembers(
  body: { type: Simulation } & { [name in Ruled]?: unknown },
  { issues }: { issues: z.core.$ZodRawIssue[] },
): void {
  const refuse = (name: Ruled, message: string) =>
    issues.push({ code: "custom", input: body, path: [name], message });
  for (const rule of RULES) {
    const refusal = findRefusal(rule, body.type, body[rule.name] !== undefined);
    if (refusal) {
      refuse(rule.name, refusal);
    }
  }
  if (body.earlier !== undefined && body.decline_with !== undefined) {
    refuse("earlier", "This field is not allowed with decline_with.");
  }
}

function findRefusal(
  { required = [], optional = [] }: Rule,
  type: Simulation,
  isSent: boolean,
): string | undefined {
  if (!isSent) {
    return required.includes(type) ? "This field is required with this type." : undefined;
  }
  const types = [...required, ...optional];
  const noun = types.length === 1 ? "type" : "types";
  return types.includes(type)
    ? undefined
    : `This field is allowed with the ${noun} ${TYPE_LIST.format(types)} only.`;
}

const MEMBERS = [
  "type",
  ...RULES.map(({ name }) => name),
  "force",
  "narrative",
  "merchant",
  "merchant_currency",
] as const;

const body = new Conditions(MEMBERS);

/** The same rules in the document. */
export const MEMBERS_BY_TYPE = [
  ...RULES.flatMap(({ name, required = [], optional = [] }) => {
    const refusing = SIMULATIONS.filter((type) => ![...required, ...optional].includes(type));
    return [
      ...(required.length === 0 ? [] : [when(body.among("type", required), body.sent(name))]),
      when(body.among("type", refusing), body.unsent(name)),
    ];
  }),
  when(body.sent("earlier"), body.unsent("decline_with")),
];
