import { creditCard as operation } from "#lib/api/contract/funds.ts";
import { handleFunds } from "#lib/api/handle.ts";
import { toCardReply, toCardFunds } from "#lib/api/funds-reply.ts";

export const PATCH = handleFunds(operation, toCardFunds("credit"), toCardReply);
