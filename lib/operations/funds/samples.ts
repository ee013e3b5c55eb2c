import { IDS } from "#lib/api/contract/samples.ts";

export const CREDIT_BODY = { card_id: IDS.card, amount: 2_000 };
