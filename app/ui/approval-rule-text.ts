import { formatMoney } from "#lib/base/money.ts";

/** The setting that requires a second person for moves, as a sentence. The rule is null while no move needs one. */
export function toApprovalRuleText(
  rule: { threshold: number; for_keys: boolean } | null,
  currency: string,
): string {
  if (rule === null) {
    return "Nobody else has to approve moves.";
  }
  const keys = rule.for_keys ? "" : " API keys that are older than this rule are exempt.";
  return `From ${formatMoney(rule.threshold, currency)} within 24 hours on, somebody else must approve what a person moves.${keys}`;
}
