import * as access from "#lib/api/contract/access.ts";
import * as account from "#lib/api/contract/account.ts";
import * as cardholders from "#lib/api/contract/cardholders.ts";
import * as cards from "#lib/api/contract/cards.ts";
import * as deprecations from "#lib/api/contract/deprecations.ts";
import * as exports from "#lib/api/contract/exports.ts";
import * as funds from "#lib/api/contract/funds.ts";
import * as health from "#lib/api/contract/health.ts";
import * as idempotency from "#lib/api/contract/idempotency.ts";
import type { Operation } from "#lib/api/contract/operation.ts";
import * as staff from "#lib/api/contract/staff.ts";
import * as processor from "#lib/api/contract/processor.ts";
import * as transactions from "#lib/api/contract/transactions.ts";
import * as webhooks from "#lib/api/contract/webhooks.ts";

/** All operations. */
export const OPERATIONS: readonly Operation[] = [
  account,
  cardholders,
  cards,
  funds,
  transactions,
  processor,
  webhooks,
  health,
  idempotency,
  exports,
  access,
  deprecations,
  staff,
].flatMap((noun) => Object.values<Operation>(noun));
