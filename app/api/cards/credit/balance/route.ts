import { FUNDS } from "#lib/api/replay/batched-acts.ts";
import { cardFunds } from "#lib/api/wire/card-funds.ts";
import { creditCard as operation } from "#lib/operations/funds/credit-card.ts";
import { handleBatched } from "#lib/api/edge/handle.ts";

export const PATCH = handleBatched(operation, FUNDS, cardFunds("credit"));
