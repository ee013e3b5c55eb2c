import { FREEZE_REASON_NAMES, FREEZE_REASONS } from "#lib/cards/card-state.ts";

/** The reasons for a freeze, as options to choose from. */
export const FREEZE_REASON_OPTIONS = FREEZE_REASONS.map((id) => ({
  id,
  name: FREEZE_REASON_NAMES[id],
}));
