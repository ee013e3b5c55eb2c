// Written by npm run generate.
import { accountRestored } from "#lib/events/account-restored.ts";
import { apiKeyExpiring } from "#lib/events/api-key-expiring.ts";
import { approvalRequested } from "#lib/events/approval-requested.ts";
import { approvalApproved } from "#lib/events/approval-approved.ts";
import { approvalRejected } from "#lib/events/approval-rejected.ts";
import { approvalExpired } from "#lib/events/approval-expired.ts";
import { bulkCompleted } from "#lib/events/bulk-completed.ts";
import { cardCreated } from "#lib/events/card-created.ts";
import { cardUpdated } from "#lib/events/card-updated.ts";
import { cardFrozen } from "#lib/events/card-frozen.ts";
import { cardUnfrozen } from "#lib/events/card-unfrozen.ts";
import { cardClosed } from "#lib/events/card-closed.ts";
import { cardCredited } from "#lib/events/card-credited.ts";
import { cardDebited } from "#lib/events/card-debited.ts";
import { cardTransaction } from "#lib/events/card-transaction.ts";
import { cardReverseTransaction } from "#lib/events/card-reverse-transaction.ts";
import { cardTransactionDeclined } from "#lib/events/card-transaction-declined.ts";
import { cardCoverOutstanding } from "#lib/events/card-cover-outstanding.ts";
import { floatToppedUp } from "#lib/events/float-topped-up.ts";
import { floatLowBalance } from "#lib/events/float-low-balance.ts";
import { floatRecovered } from "#lib/events/float-recovered.ts";
import { floatDeficit } from "#lib/events/float-deficit.ts";
import { floatDeficitRepaid } from "#lib/events/float-deficit-repaid.ts";
import { integratorUpdated } from "#lib/events/integrator-updated.ts";
import { userKycVerification } from "#lib/events/user-kyc-verification.ts";
import { userUpdated } from "#lib/events/user-updated.ts";
import { userArchived } from "#lib/events/user-archived.ts";
import { userUnarchived } from "#lib/events/user-unarchived.ts";
import { userErased } from "#lib/events/user-erased.ts";
import { webhookTest } from "#lib/events/webhook-test.ts";
import type { DeclaredEvent } from "#lib/events/event.ts";
import type { EventName } from "#lib/record/event-catalog.ts";

/** Every event, in the order of the reference. */
export const DECLARED: Readonly<Record<EventName, DeclaredEvent>> = {
  "account.restored": accountRestored,
  "api_key.expiring": apiKeyExpiring,
  "approval.requested": approvalRequested,
  "approval.approved": approvalApproved,
  "approval.rejected": approvalRejected,
  "approval.expired": approvalExpired,
  "bulk.completed": bulkCompleted,
  "card.created": cardCreated,
  "card.updated": cardUpdated,
  "card.frozen": cardFrozen,
  "card.unfrozen": cardUnfrozen,
  "card.closed": cardClosed,
  "card.credited": cardCredited,
  "card.debited": cardDebited,
  "card.transaction": cardTransaction,
  "card.reverse-transaction": cardReverseTransaction,
  "card.transaction-declined": cardTransactionDeclined,
  "card.cover-outstanding": cardCoverOutstanding,
  "float.topped-up": floatToppedUp,
  "float.low-balance": floatLowBalance,
  "float.recovered": floatRecovered,
  "float.deficit": floatDeficit,
  "float.deficit-repaid": floatDeficitRepaid,
  "integrator.updated": integratorUpdated,
  "user.kyc-verification": userKycVerification,
  "user.updated": userUpdated,
  "user.archived": userArchived,
  "user.unarchived": userUnarchived,
  "user.erased": userErased,
  "webhook.test": webhookTest,
};
