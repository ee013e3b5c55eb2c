import { roleDisabledReason } from "#lib/access/roles.ts";
import type { Role } from "#lib/access/roles.ts";
import { cardholderCan } from "#lib/cards/cardholder-state.ts";
import type { CardholderCondition } from "#lib/cards/cardholder-state.ts";

/** Why this person may not edit a card's notes or metadata: because of their role, or because its holder is erased. */
export function toChangeDisabledReason(
  role: Role,
  holder: Pick<CardholderCondition, "erasedAt">,
): string | null {
  return roleDisabledReason(role, "cards:write") ?? cardholderCan.change(holder)?.detail ?? null;
}
