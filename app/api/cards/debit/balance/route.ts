import { FUNDS } from "#lib/api/commit/procedures.ts";
import { cardFunds } from "#lib/api/wire/card-funds.ts";
import { debitCard as operation } from "#lib/operations/funds/debit-card.ts";
import { serve } from "#lib/api/edge/serve.ts";

export const PATCH = serve(operation, { decide: FUNDS, ...cardFunds("debit") });
