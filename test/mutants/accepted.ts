/** A mutant that no test can notice, or need notice. */
export interface Accepted {
  file: string;
  /** The line of the file in which it is, without the spaces around it. */
  line: string;
  /** What stands there instead. */
  replacement: string;
  reason: string;
}

/** For a value that is never absent there, which only the type checker does not know: it refuses the mutant. */
const NEVER_ABSENT = "the value is never absent there, and the type checker refuses the mutant";
const HAS_RESULT = "each request has a result, which only the type checker does not know";
/** A repayment of nothing is refused, so that none is listed either. */
const NOTHING_OWED = "nothing is repaid of a deficit of zero, whether or not it is tried";
/** A posting that awaits its authorization, or names none, is found by the first two rules. */
const FOUND_BEFORE = "a posting whose authorization is awaited or absent never gets as far";
const LAST_RULE = "the last rule and what follows without any say the same";
const NOT_IN_THE_WAY =
  "no rule declines a card of which this is not known, or is single-use but unused";
const IS_OWING =
  "const isOwing = deficit !== undefined && (balances.get(deficit.id)?.balance ?? 0) < 0;";

const IS_STAND_IN =
  'authorization !== "awaited" && authorization?.approvedBy === "network" && amount > open,';
const STATUS = 'return authorization === "awaited" ? undefined : authorization?.status;';

export const ACCEPTED: readonly Accepted[] = [
  {
    file: "lib/cards/freezes.ts",
    line: "return a.reason !== null && isGraver(a.reason, b.reason) ? -1 : 1;",
    replacement: "true",
    reason:
      "no reason is graver than none: isGraver says the same, and the type checker refuses it",
  },
  {
    file: "lib/funds/sweep.ts",
    line: "if (!result) {",
    replacement: "{}",
    reason: HAS_RESULT,
  },
  {
    file: "lib/funds/sweep.ts",
    line: "if (!result) {",
    replacement: "false",
    reason: HAS_RESULT,
  },
  {
    file: "lib/funds/sweep.ts",
    line: 'throw new Error("A sweep had no result.");',
    replacement: '""',
    reason: HAS_RESULT,
  },
  {
    file: "lib/ledger/decide.ts",
    line: IS_OWING,
    replacement: "true",
    reason: NOTHING_OWED,
  },
  {
    file: "lib/ledger/decide.ts",
    line: IS_OWING,
    replacement: "(balances.get(deficit.id)?.balance ?? 0) <= 0",
    reason: NOTHING_OWED,
  },
  {
    file: "lib/ledger/decide.ts",
    line: IS_OWING,
    replacement: "balances.get(deficit.id).balance",
    reason: NEVER_ABSENT,
  },
  {
    file: "lib/ledger/decide.ts",
    line: "isOwing && request.creditAccountId === float?.id",
    replacement: "float.id",
    reason: NEVER_ABSENT,
  },
  {
    file: "lib/purchases/internal/clearing.ts",
    line: "members.flatMap(([name, value]) => (value === null || value === UNNAMED_MERCHANT ? [] : name)),",
    replacement: '["Stryker was here"]',
    reason: "no member has this name",
  },
  {
    file: "lib/purchases/posted-as.ts",
    line: IS_STAND_IN,
    replacement: "true",
    reason: FOUND_BEFORE,
  },
  {
    file: "lib/purchases/posted-as.ts",
    line: IS_STAND_IN,
    replacement: '""',
    reason: FOUND_BEFORE,
  },
  {
    file: "lib/purchases/posted-as.ts",
    line: IS_STAND_IN,
    replacement: "authorization.approvedBy",
    reason: FOUND_BEFORE,
  },
  {
    file: "lib/purchases/posted-as.ts",
    line: STATUS,
    replacement: "false",
    reason: FOUND_BEFORE,
  },
  {
    file: "lib/purchases/posted-as.ts",
    line: STATUS,
    replacement: '""',
    reason: FOUND_BEFORE,
  },
  {
    file: "lib/purchases/posted-as.ts",
    line: STATUS,
    replacement: "authorization.status",
    reason: FOUND_BEFORE,
  },
  {
    file: "lib/purchases/posted-as.ts",
    line: "authorized: () => true,",
    replacement: "false",
    reason: LAST_RULE,
  },
  {
    file: "lib/purchases/posted-as.ts",
    line: "authorized: () => true,",
    replacement: "() => undefined",
    reason: LAST_RULE,
  },
  {
    file: "lib/purchases/posted-as.ts",
    line: 'return POSTED_AS.find((each) => APPLIES[each](posting)) ?? "authorized";',
    replacement: '""',
    reason: LAST_RULE,
  },
  {
    file: "lib/transactions/decline-rules.ts",
    line: 'const UNCONTROLLED: Omit<Spending, "amount" | "available" | "controlled"> = {',
    replacement: "{}",
    reason: NOT_IN_THE_WAY,
  },
  {
    file: "lib/transactions/decline-rules.ts",
    line: 'status: "active",',
    replacement: '""',
    reason: NOT_IN_THE_WAY,
  },
  {
    file: "lib/transactions/decline-rules.ts",
    line: "singleUse: false,",
    replacement: "true",
    reason: NOT_IN_THE_WAY,
  },
];
