import { FUNDS } from "#lib/api/replay/batched-acts.ts";
import { cardFunds } from "#lib/api/wire/card-funds.ts";
import { creditCard as operation } from "#lib/api/contract/funds.ts";
import { handleBatched } from "#lib/api/edge/handle.ts";

export const PATCH = handleBatched(operation, FUNDS, cardFunds("credit"));
