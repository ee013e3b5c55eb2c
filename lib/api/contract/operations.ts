import * as account from "#lib/api/contract/account.ts";
import * as cards from "#lib/api/contract/cards.ts";
import * as funds from "#lib/api/contract/funds.ts";
import * as health from "#lib/api/contract/health.ts";
import type { Operation } from "#lib/api/contract/operation.ts";
import * as transactions from "#lib/api/contract/transactions.ts";
import * as webhooks from "#lib/api/contract/webhooks.ts";

/** Every operation there is. */
export const OPERATIONS: readonly Operation[] = [
  account,
  cards,
  funds,
  transactions,
  webhooks,
  health,
].flatMap((noun) => Object.values<Operation>(noun));
