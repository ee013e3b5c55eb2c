import { updateSpendingControls } from "#lib/cards/spending-update.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import type { SpendingControls, SpendingLimit } from "#lib/cards/spending-controls.ts";
import { updateSettings } from "#lib/integrators/integrators.ts";
import type { Account } from "#lib/integrators/account-resource.ts";
import { write } from "./fixtures.ts";
import type { TestIntegrator } from "./fixtures.ts";

/** What a card may buy, as its integrator says it. */

const NOTHING: SpendingControls = {
  spending_limits: [],
  allowed_categories: null,
  blocked_categories: null,
  allowed_merchant_countries: null,
  blocked_merchant_countries: null,
};

export function toControls(controls: Partial<SpendingControls>): SpendingControls {
  return { ...NOTHING, ...controls };
}

export function toLimit(
  amount: number,
  interval: SpendingLimit["interval"] = "monthly",
  categories: string[] | null = null,
): SpendingLimit {
  return { amount, interval, categories };
}

/** Null: the account's. */
export function controlCard(
  integrator: TestIntegrator,
  cardId: string,
  controls: Partial<SpendingControls> | null,
): Promise<Card> {
  return write(integrator, (ctx) =>
    updateSpendingControls(ctx, cardId, controls && toControls(controls)),
  );
}

/** The account's default, and its time zone. */
export function controlAccount(
  integrator: TestIntegrator,
  settings: { spendingControls?: SpendingControls | null; timeZone?: string },
): Promise<Account> {
  return write(integrator, (ctx) => updateSettings(ctx, settings));
}
