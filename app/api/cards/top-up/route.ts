import { FUNDS } from "#lib/api/replay/batched-acts.ts";
import { cardFunds } from "#lib/api/wire/card-funds.ts";
import { topUpCard as operation } from "#lib/operations/funds/top-up-card.ts";
import { handleBatched } from "#lib/api/edge/handle.ts";

export const PATCH = handleBatched(operation, FUNDS, cardFunds("credit"));
