import { FUNDS } from "#lib/api/commit/procedures.ts";
import { cardFunds } from "#lib/api/wire/card-funds.ts";
import { creditCard as operation } from "#lib/operations/funds/credit-card.ts";
import { serve } from "#lib/api/edge/serve.ts";

export const PATCH = serve(operation, { decide: FUNDS, ...cardFunds("credit") });
