import { readDraft, toDraft } from "./controls-draft.ts";
import type { ControlsDraft } from "./controls-draft.ts";
import { hasControls } from "#lib/cards/spending-controls.ts";
import type { SpendingControls } from "#lib/cards/spending-controls.ts";

/** Whose controls somebody chose: those of the account, none at all, or the ones in the draft. */
export type ControlsChoice = "account" | "none" | "own";

export interface ChosenControls {
  choice: ControlsChoice;
  draft: ControlsDraft;
}

/** The form's initial value. `without` is the meaning of absent controls. */
export function toChosen(
  own: SpendingControls | null,
  without: "account" | "none",
  currency: string,
): ChosenControls {
  const choice = own && hasControls(own) ? "own" : own ? "none" : without;
  return { choice, draft: toDraft(own, currency) };
}

/** Controls that allow everything. */
const NONE: SpendingControls = {
  spending_limits: [],
  allowed_categories: null,
  blocked_categories: null,
  allowed_merchant_countries: null,
  blocked_merchant_countries: null,
};

/** The controls to save, where null stands for those of the account; or what is missing from the draft. */
export function toWanted(
  { choice, draft }: ChosenControls,
  currency: string,
): { controls: SpendingControls | null; problem: string | null } {
  if (choice === "own") {
    return readDraft(draft, currency);
  }
  return { controls: choice === "account" ? null : NONE, problem: null };
}
