import { FREEZE_REASON_NAMES, FREEZE_REASONS } from "#lib/cards/card-state.ts";

/** Why a card can be frozen, as a list to choose from. */
export const FREEZE_REASON_OPTIONS = FREEZE_REASONS.map((id) => ({
  id,
  name: FREEZE_REASON_NAMES[id],
}));
