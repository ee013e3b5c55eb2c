// Written by npm run generate.
import { createApiKey } from "#lib/operations/access/create-api-key.ts";
import { exemptApiKey } from "#lib/operations/access/exempt-api-key.ts";
import { getLoggedRequest } from "#lib/operations/access/get-logged-request.ts";
import { listApiKeys } from "#lib/operations/access/list-api-keys.ts";
import { listApiLog } from "#lib/operations/access/list-api-log.ts";
import { listAuditLog } from "#lib/operations/access/list-audit-log.ts";
import { revokeApiKey } from "#lib/operations/access/revoke-api-key.ts";
import { rotateApiKey } from "#lib/operations/access/rotate-api-key.ts";
import { getAccountVersion } from "#lib/operations/account/get-account-version.ts";
import { getAccount } from "#lib/operations/account/get-account.ts";
import { previewAutoFreezeSettings } from "#lib/operations/account/preview-auto-freeze-settings.ts";
import { previewIdleFreezeSettings } from "#lib/operations/account/preview-idle-freeze-settings.ts";
import { registerIntegrator } from "#lib/operations/account/register-integrator.ts";
import { updateAccount } from "#lib/operations/account/update-account.ts";
import { updateSettings } from "#lib/operations/account/update-settings.ts";
import { approveApproval } from "#lib/operations/approvals/approve-approval.ts";
import { cancelApproval } from "#lib/operations/approvals/cancel-approval.ts";
import { getApproval } from "#lib/operations/approvals/get-approval.ts";
import { listApprovals } from "#lib/operations/approvals/list-approvals.ts";
import { rejectApproval } from "#lib/operations/approvals/reject-approval.ts";
import { cancelBulkJob } from "#lib/operations/bulk/cancel-bulk-job.ts";
import { createBulkJob } from "#lib/operations/bulk/create-bulk-job.ts";
import { getBulkJob } from "#lib/operations/bulk/get-bulk-job.ts";
import { listBulkJobs } from "#lib/operations/bulk/list-bulk-jobs.ts";
import { listBulkResults } from "#lib/operations/bulk/list-bulk-results.ts";
import { archiveUser } from "#lib/operations/cardholders/archive-user.ts";
import { eraseUser } from "#lib/operations/cardholders/erase-user.ts";
import { getUser } from "#lib/operations/cardholders/get-user.ts";
import { listUsers } from "#lib/operations/cardholders/list-users.ts";
import { registerUser } from "#lib/operations/cardholders/register-user.ts";
import { unarchiveUser } from "#lib/operations/cardholders/unarchive-user.ts";
import { updateUser } from "#lib/operations/cardholders/update-user.ts";
import { backtestCards } from "#lib/operations/cards/backtest-cards.ts";
import { closeCard } from "#lib/operations/cards/close-card.ts";
import { createNote } from "#lib/operations/cards/create-note.ts";
import { createVirtualCard } from "#lib/operations/cards/create-virtual-card.ts";
import { freezeCard } from "#lib/operations/cards/freeze-card.ts";
import { getCardStatement } from "#lib/operations/cards/get-card-statement.ts";
import { getCard } from "#lib/operations/cards/get-card.ts";
import { listCardActivity } from "#lib/operations/cards/list-card-activity.ts";
import { listCards } from "#lib/operations/cards/list-cards.ts";
import { listMerchantCategories } from "#lib/operations/cards/list-merchant-categories.ts";
import { replaceCard } from "#lib/operations/cards/replace-card.ts";
import { unfreezeCard } from "#lib/operations/cards/unfreeze-card.ts";
import { updateCardSpendingControls } from "#lib/operations/cards/update-card-spending-controls.ts";
import { updateCard } from "#lib/operations/cards/update-card.ts";
import { listDeprecations } from "#lib/operations/deprecations/list-deprecations.ts";
import { exportAuditLog } from "#lib/operations/exports/export-audit-log.ts";
import { exportBulkResults } from "#lib/operations/exports/export-bulk-results.ts";
import { exportCardStatement } from "#lib/operations/exports/export-card-statement.ts";
import { exportCards } from "#lib/operations/exports/export-cards.ts";
import { exportFloatEntries } from "#lib/operations/exports/export-float-entries.ts";
import { exportFloatStatement } from "#lib/operations/exports/export-float-statement.ts";
import { exportTransactions } from "#lib/operations/exports/export-transactions.ts";
import { creditCard } from "#lib/operations/funds/credit-card.ts";
import { debitCard } from "#lib/operations/funds/debit-card.ts";
import { getFloatStatement } from "#lib/operations/funds/get-float-statement.ts";
import { getFloat } from "#lib/operations/funds/get-float.ts";
import { listFloatEntries } from "#lib/operations/funds/list-float-entries.ts";
import { topUpCard } from "#lib/operations/funds/top-up-card.ts";
import { topUpFloat } from "#lib/operations/funds/top-up-float.ts";
import { getIdempotencyKey } from "#lib/operations/idempotency-keys/get-idempotency-key.ts";
import { createAuthorization } from "#lib/operations/processor/create-authorization.ts";
import { createCapture } from "#lib/operations/processor/create-capture.ts";
import { createFunding } from "#lib/operations/processor/create-funding.ts";
import { createIncrement } from "#lib/operations/processor/create-increment.ts";
import { createPosting } from "#lib/operations/processor/create-posting.ts";
import { createRefund } from "#lib/operations/processor/create-refund.ts";
import { createReversalByReference } from "#lib/operations/processor/create-reversal-by-reference.ts";
import { createReversal } from "#lib/operations/processor/create-reversal.ts";
import { advanceClock } from "#lib/operations/sandbox-clock/advance-clock.ts";
import { getClock } from "#lib/operations/sandbox-clock/get-clock.ts";
import { resetClock } from "#lib/operations/sandbox-clock/reset-clock.ts";
import { getLiveness } from "#lib/operations/server/get-liveness.ts";
import { getOpenApi } from "#lib/operations/server/get-open-api.ts";
import { getReadiness } from "#lib/operations/server/get-readiness.ts";
import { acceptInvitation } from "#lib/operations/staff/accept-invitation.ts";
import { beginSecondFactor } from "#lib/operations/staff/begin-second-factor.ts";
import { changePassword } from "#lib/operations/staff/change-password.ts";
import { changeRole } from "#lib/operations/staff/change-role.ts";
import { chooseMessages } from "#lib/operations/staff/choose-messages.ts";
import { confirmSelf } from "#lib/operations/staff/confirm-self.ts";
import { disableSecondFactor } from "#lib/operations/staff/disable-second-factor.ts";
import { enableSecondFactor } from "#lib/operations/staff/enable-second-factor.ts";
import { forgotPassword } from "#lib/operations/staff/forgot-password.ts";
import { inviteStaff } from "#lib/operations/staff/invite-staff.ts";
import { listMessages } from "#lib/operations/staff/list-messages.ts";
import { listStaff } from "#lib/operations/staff/list-staff.ts";
import { makePasswordReset } from "#lib/operations/staff/make-password-reset.ts";
import { readLink } from "#lib/operations/staff/read-link.ts";
import { removeStaff } from "#lib/operations/staff/remove-staff.ts";
import { requireSecondFactor } from "#lib/operations/staff/require-second-factor.ts";
import { resetPassword } from "#lib/operations/staff/reset-password.ts";
import { revokeInvitation } from "#lib/operations/staff/revoke-invitation.ts";
import { revokeOtherSessions } from "#lib/operations/staff/revoke-other-sessions.ts";
import { revokeOwnSession } from "#lib/operations/staff/revoke-own-session.ts";
import { revokeSessions } from "#lib/operations/staff/revoke-sessions.ts";
import { getTransactionById } from "#lib/operations/transactions/get-transaction-by-id.ts";
import { getTransaction } from "#lib/operations/transactions/get-transaction.ts";
import { listCardTransactions } from "#lib/operations/transactions/list-card-transactions.ts";
import { listTransactions } from "#lib/operations/transactions/list-transactions.ts";
import { mockTransaction } from "#lib/operations/transactions/mock-transaction.ts";
import { createView } from "#lib/operations/views/create-view.ts";
import { deleteView } from "#lib/operations/views/delete-view.ts";
import { listViews } from "#lib/operations/views/list-views.ts";
import { updateView } from "#lib/operations/views/update-view.ts";
import { createInbox } from "#lib/operations/webhooks/create-inbox.ts";
import { createWebhookEndpoint } from "#lib/operations/webhooks/create-webhook-endpoint.ts";
import { deleteWebhookEndpoint } from "#lib/operations/webhooks/delete-webhook-endpoint.ts";
import { enableWebhooks } from "#lib/operations/webhooks/enable-webhooks.ts";
import { getEvent } from "#lib/operations/webhooks/get-event.ts";
import { getMissedWebhookDeliveries } from "#lib/operations/webhooks/get-missed-webhook-deliveries.ts";
import { getWebhookDelivery } from "#lib/operations/webhooks/get-webhook-delivery.ts";
import { getWebhookEndpoint } from "#lib/operations/webhooks/get-webhook-endpoint.ts";
import { getWebhooks } from "#lib/operations/webhooks/get-webhooks.ts";
import { listEvents } from "#lib/operations/webhooks/list-events.ts";
import { listInbox } from "#lib/operations/webhooks/list-inbox.ts";
import { listWebhookDeliveries } from "#lib/operations/webhooks/list-webhook-deliveries.ts";
import { listWebhookEndpoints } from "#lib/operations/webhooks/list-webhook-endpoints.ts";
import { recoverWebhookDeliveries } from "#lib/operations/webhooks/recover-webhook-deliveries.ts";
import { resendWebhookDelivery } from "#lib/operations/webhooks/resend-webhook-delivery.ts";
import { revealWebhookSecret } from "#lib/operations/webhooks/reveal-webhook-secret.ts";
import { rotateWebhookSecret } from "#lib/operations/webhooks/rotate-webhook-secret.ts";
import { sendTestWebhook } from "#lib/operations/webhooks/send-test-webhook.ts";
import { updateWebhookEndpoint } from "#lib/operations/webhooks/update-webhook-endpoint.ts";

/** The operations that each folder declares. */
export const DECLARED = {
  "access": [createApiKey, exemptApiKey, getLoggedRequest, listApiKeys, listApiLog, listAuditLog, revokeApiKey, rotateApiKey],
  "account": [getAccountVersion, getAccount, previewAutoFreezeSettings, previewIdleFreezeSettings, registerIntegrator, updateAccount, updateSettings],
  "approvals": [approveApproval, cancelApproval, getApproval, listApprovals, rejectApproval],
  "bulk": [cancelBulkJob, createBulkJob, getBulkJob, listBulkJobs, listBulkResults],
  "cardholders": [archiveUser, eraseUser, getUser, listUsers, registerUser, unarchiveUser, updateUser],
  "cards": [backtestCards, closeCard, createNote, createVirtualCard, freezeCard, getCardStatement, getCard, listCardActivity, listCards, listMerchantCategories, replaceCard, unfreezeCard, updateCardSpendingControls, updateCard],
  "deprecations": [listDeprecations],
  "exports": [exportAuditLog, exportBulkResults, exportCardStatement, exportCards, exportFloatEntries, exportFloatStatement, exportTransactions],
  "funds": [creditCard, debitCard, getFloatStatement, getFloat, listFloatEntries, topUpCard, topUpFloat],
  "idempotency-keys": [getIdempotencyKey],
  "processor": [createAuthorization, createCapture, createFunding, createIncrement, createPosting, createRefund, createReversalByReference, createReversal],
  "sandbox-clock": [advanceClock, getClock, resetClock],
  "server": [getLiveness, getOpenApi, getReadiness],
  "staff": [acceptInvitation, beginSecondFactor, changePassword, changeRole, chooseMessages, confirmSelf, disableSecondFactor, enableSecondFactor, forgotPassword, inviteStaff, listMessages, listStaff, makePasswordReset, readLink, removeStaff, requireSecondFactor, resetPassword, revokeInvitation, revokeOtherSessions, revokeOwnSession, revokeSessions],
  "transactions": [getTransactionById, getTransaction, listCardTransactions, listTransactions, mockTransaction],
  "views": [createView, deleteView, listViews, updateView],
  "webhooks": [createInbox, createWebhookEndpoint, deleteWebhookEndpoint, enableWebhooks, getEvent, getMissedWebhookDeliveries, getWebhookDelivery, getWebhookEndpoint, getWebhooks, listEvents, listInbox, listWebhookDeliveries, listWebhookEndpoints, recoverWebhookDeliveries, resendWebhookDelivery, revealWebhookSecret, rotateWebhookSecret, sendTestWebhook, updateWebhookEndpoint],
};
