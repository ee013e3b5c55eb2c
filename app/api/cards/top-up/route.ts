import { FUNDS } from "#lib/api/commit/procedures.ts";
import { cardFunds } from "#lib/api/wire/card-funds.ts";
import { topUpCard as operation } from "#lib/operations/funds/top-up-card.ts";
import { serve } from "#lib/api/edge/serve.ts";

export const PATCH = serve(operation, { decide: FUNDS, ...cardFunds("credit") });
