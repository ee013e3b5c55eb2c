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
/** A repayment of nothing is refused, so that none is listed either. */
const NOTHING_OWED = "nothing is repaid of a deficit of zero, whether or not it is tried";
const IS_OWING =
  "const isOwing = deficit !== undefined && (balances.get(deficit.id)?.balance ?? 0) < 0;";

export const ACCEPTED: readonly Accepted[] = [
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
];
