import { FUNDS } from "#lib/api/replay/batched-acts.ts";
import { cardFunds } from "#lib/api/wire/card-funds.ts";
import { debitCard as operation } from "#lib/operations/funds/debit-card.ts";
import { handleBatched } from "#lib/api/edge/handle.ts";

export const PATCH = handleBatched(operation, FUNDS, cardFunds("debit"));
