import { FUNDS } from "#lib/api/batched-acts.ts";
import { cardFunds } from "#lib/api/card-funds.ts";
import { creditCard as operation } from "#lib/api/contract/funds.ts";
import { handleBatched } from "#lib/api/handle.ts";

export const PATCH = handleBatched(operation, FUNDS, cardFunds("credit"));
