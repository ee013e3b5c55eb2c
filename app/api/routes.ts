// Written by npm run generate.
import * as apiKeys from "#app/api/api-keys/route.ts";
import * as apiKeysId from "#app/api/api-keys/[id]/route.ts";
import * as apiKeysIdExempt from "#app/api/api-keys/[id]/exempt/route.ts";
import * as apiKeysIdRotate from "#app/api/api-keys/[id]/rotate/route.ts";
import * as apiLog from "#app/api/api-log/route.ts";
import * as apiLogId from "#app/api/api-log/[id]/route.ts";
import * as approvals from "#app/api/approvals/route.ts";
import * as approvalsId from "#app/api/approvals/[id]/route.ts";
import * as approvalsIdApprove from "#app/api/approvals/[id]/approve/route.ts";
import * as approvalsIdCancel from "#app/api/approvals/[id]/cancel/route.ts";
import * as approvalsIdReject from "#app/api/approvals/[id]/reject/route.ts";
import * as auditLog from "#app/api/audit-log/route.ts";
import * as bulk from "#app/api/bulk/route.ts";
import * as bulkId from "#app/api/bulk/[id]/route.ts";
import * as bulkIdCancel from "#app/api/bulk/[id]/cancel/route.ts";
import * as bulkIdResults from "#app/api/bulk/[id]/results/route.ts";
import * as cardIntegratorsIdRegisterUser from "#app/api/card-integrators/[id]/register-user/route.ts";
import * as cardIntegratorsCardUsers from "#app/api/card-integrators/card-users/route.ts";
import * as cardIntegratorsCardUsersId from "#app/api/card-integrators/card-users/[id]/route.ts";
import * as cardIntegratorsCardUsersIdArchive from "#app/api/card-integrators/card-users/[id]/archive/route.ts";
import * as cardIntegratorsCardUsersIdErase from "#app/api/card-integrators/card-users/[id]/erase/route.ts";
import * as cardIntegratorsCardUsersIdUnarchive from "#app/api/card-integrators/card-users/[id]/unarchive/route.ts";
import * as cardIntegratorsFloat from "#app/api/card-integrators/float/route.ts";
import * as cardIntegratorsFloatStatement from "#app/api/card-integrators/float-statement/route.ts";
import * as cardIntegratorsFloatEntries from "#app/api/card-integrators/float/entries/route.ts";
import * as cardIntegratorsMe from "#app/api/card-integrators/me/route.ts";
import * as cardIntegratorsMeVersion from "#app/api/card-integrators/me/version/route.ts";
import * as cardIntegratorsRegisterIntegrator from "#app/api/card-integrators/register-integrator/route.ts";
import * as cardIntegratorsSettings from "#app/api/card-integrators/settings/route.ts";
import * as cardIntegratorsSettingsAutoFreezePreview from "#app/api/card-integrators/settings/auto-freeze-preview/route.ts";
import * as cardIntegratorsSettingsIdleFreezePreview from "#app/api/card-integrators/settings/idle-freeze-preview/route.ts";
import * as cardIntegratorsTopUpFloat from "#app/api/card-integrators/top-up-float/route.ts";
import * as cardIntegratorsUpdate from "#app/api/card-integrators/update/route.ts";
import * as cards from "#app/api/cards/route.ts";
import * as cardsId from "#app/api/cards/[id]/route.ts";
import * as cardsIdActivity from "#app/api/cards/[id]/activity/route.ts";
import * as cardsIdClose from "#app/api/cards/[id]/close/route.ts";
import * as cardsIdFreeze from "#app/api/cards/[id]/freeze/route.ts";
import * as cardsIdMockTransaction from "#app/api/cards/[id]/mock-transaction/route.ts";
import * as cardsIdNotes from "#app/api/cards/[id]/notes/route.ts";
import * as cardsIdReplace from "#app/api/cards/[id]/replace/route.ts";
import * as cardsIdSpendingControls from "#app/api/cards/[id]/spending-controls/route.ts";
import * as cardsIdStatement from "#app/api/cards/[id]/statement/route.ts";
import * as cardsIdTransactions from "#app/api/cards/[id]/transactions/route.ts";
import * as cardsIdUnfreeze from "#app/api/cards/[id]/unfreeze/route.ts";
import * as cardsCreateVirtualCard from "#app/api/cards/create-virtual-card/route.ts";
import * as cardsCreditBalance from "#app/api/cards/credit/balance/route.ts";
import * as cardsDebitBalance from "#app/api/cards/debit/balance/route.ts";
import * as cardsTopUp from "#app/api/cards/top-up/route.ts";
import * as cardsTransactionId from "#app/api/cards/transaction/[id]/route.ts";
import * as deprecations from "#app/api/deprecations/route.ts";
import * as events from "#app/api/events/route.ts";
import * as eventsId from "#app/api/events/[id]/route.ts";
import * as exportsAuditLog from "#app/api/exports/audit-log/route.ts";
import * as exportsBulkResultsId from "#app/api/exports/bulk-results/[id]/route.ts";
import * as exportsCards from "#app/api/exports/cards/route.ts";
import * as exportsCardsIdStatement from "#app/api/exports/cards/[id]/statement/route.ts";
import * as exportsFloatEntries from "#app/api/exports/float-entries/route.ts";
import * as exportsFloatStatement from "#app/api/exports/float-statement/route.ts";
import * as exportsTransactions from "#app/api/exports/transactions/route.ts";
import * as healthLive from "#app/api/health/live/route.ts";
import * as healthReady from "#app/api/health/ready/route.ts";
import * as idempotencyKeysKey from "#app/api/idempotency-keys/[key]/route.ts";
import * as merchantCategories from "#app/api/merchant-categories/route.ts";
import * as openapiJson from "#app/api/openapi.json/route.ts";
import * as processorAuthorizations from "#app/api/processor/authorizations/route.ts";
import * as processorAuthorizationsIdCaptures from "#app/api/processor/authorizations/[id]/captures/route.ts";
import * as processorAuthorizationsIdIncrements from "#app/api/processor/authorizations/[id]/increments/route.ts";
import * as processorAuthorizationsIdReversals from "#app/api/processor/authorizations/[id]/reversals/route.ts";
import * as processorCaptures from "#app/api/processor/captures/route.ts";
import * as processorFunding from "#app/api/processor/funding/route.ts";
import * as processorRefunds from "#app/api/processor/refunds/route.ts";
import * as processorReversals from "#app/api/processor/reversals/route.ts";
import * as sandboxClock from "#app/api/sandbox/clock/route.ts";
import * as sandboxClockAdvance from "#app/api/sandbox/clock/advance/route.ts";
import * as sandboxClockReset from "#app/api/sandbox/clock/reset/route.ts";
import * as sandboxInbox from "#app/api/sandbox/inbox/route.ts";
import * as spendingControlsBacktest from "#app/api/spending-controls/backtest/route.ts";
import * as staff from "#app/api/staff/route.ts";
import * as staffId from "#app/api/staff/[id]/route.ts";
import * as staffIdPasswordReset from "#app/api/staff/[id]/password-reset/route.ts";
import * as staffIdRevokeSessions from "#app/api/staff/[id]/revoke-sessions/route.ts";
import * as staffInvitations from "#app/api/staff/invitations/route.ts";
import * as staffInvitationsId from "#app/api/staff/invitations/[id]/route.ts";
import * as staffLinksAccept from "#app/api/staff/links/accept/route.ts";
import * as staffLinksForgotPassword from "#app/api/staff/links/forgot-password/route.ts";
import * as staffLinksRead from "#app/api/staff/links/read/route.ts";
import * as staffLinksResetPassword from "#app/api/staff/links/reset-password/route.ts";
import * as staffMeConfirm from "#app/api/staff/me/confirm/route.ts";
import * as staffMeMessages from "#app/api/staff/me/messages/route.ts";
import * as staffMePassword from "#app/api/staff/me/password/route.ts";
import * as staffMeSecondFactor from "#app/api/staff/me/second-factor/route.ts";
import * as staffMeSecondFactorEnable from "#app/api/staff/me/second-factor/enable/route.ts";
import * as staffMeSessions from "#app/api/staff/me/sessions/route.ts";
import * as staffMeSessionsId from "#app/api/staff/me/sessions/[id]/route.ts";
import * as staffMessages from "#app/api/staff/messages/route.ts";
import * as staffSecondFactorPolicy from "#app/api/staff/second-factor-policy/route.ts";
import * as transactions from "#app/api/transactions/route.ts";
import * as transactionsId from "#app/api/transactions/[id]/route.ts";
import * as views from "#app/api/views/route.ts";
import * as viewsId from "#app/api/views/[id]/route.ts";
import * as webhookDeliveries from "#app/api/webhook-deliveries/route.ts";
import * as webhookDeliveriesId from "#app/api/webhook-deliveries/[id]/route.ts";
import * as webhookDeliveriesIdResend from "#app/api/webhook-deliveries/[id]/resend/route.ts";
import * as webhookDeliveriesMissed from "#app/api/webhook-deliveries/missed/route.ts";
import * as webhookDeliveriesRecover from "#app/api/webhook-deliveries/recover/route.ts";
import * as webhookEndpoints from "#app/api/webhook-endpoints/route.ts";
import * as webhookEndpointsId from "#app/api/webhook-endpoints/[id]/route.ts";
import * as webhooks from "#app/api/webhooks/route.ts";
import * as webhooksEnable from "#app/api/webhooks/enable/route.ts";
import * as webhooksRevealSecret from "#app/api/webhooks/reveal-secret/route.ts";
import * as webhooksRotateSecret from "#app/api/webhooks/rotate-secret/route.ts";
import * as webhooksTest from "#app/api/webhooks/test/route.ts";

/** The route modules of the API, by their folders. */
export const ROUTES = {
  "api-keys": apiKeys,
  "api-keys/[id]": apiKeysId,
  "api-keys/[id]/exempt": apiKeysIdExempt,
  "api-keys/[id]/rotate": apiKeysIdRotate,
  "api-log": apiLog,
  "api-log/[id]": apiLogId,
  "approvals": approvals,
  "approvals/[id]": approvalsId,
  "approvals/[id]/approve": approvalsIdApprove,
  "approvals/[id]/cancel": approvalsIdCancel,
  "approvals/[id]/reject": approvalsIdReject,
  "audit-log": auditLog,
  "bulk": bulk,
  "bulk/[id]": bulkId,
  "bulk/[id]/cancel": bulkIdCancel,
  "bulk/[id]/results": bulkIdResults,
  "card-integrators/[id]/register-user": cardIntegratorsIdRegisterUser,
  "card-integrators/card-users": cardIntegratorsCardUsers,
  "card-integrators/card-users/[id]": cardIntegratorsCardUsersId,
  "card-integrators/card-users/[id]/archive": cardIntegratorsCardUsersIdArchive,
  "card-integrators/card-users/[id]/erase": cardIntegratorsCardUsersIdErase,
  "card-integrators/card-users/[id]/unarchive": cardIntegratorsCardUsersIdUnarchive,
  "card-integrators/float": cardIntegratorsFloat,
  "card-integrators/float-statement": cardIntegratorsFloatStatement,
  "card-integrators/float/entries": cardIntegratorsFloatEntries,
  "card-integrators/me": cardIntegratorsMe,
  "card-integrators/me/version": cardIntegratorsMeVersion,
  "card-integrators/register-integrator": cardIntegratorsRegisterIntegrator,
  "card-integrators/settings": cardIntegratorsSettings,
  "card-integrators/settings/auto-freeze-preview": cardIntegratorsSettingsAutoFreezePreview,
  "card-integrators/settings/idle-freeze-preview": cardIntegratorsSettingsIdleFreezePreview,
  "card-integrators/top-up-float": cardIntegratorsTopUpFloat,
  "card-integrators/update": cardIntegratorsUpdate,
  "cards": cards,
  "cards/[id]": cardsId,
  "cards/[id]/activity": cardsIdActivity,
  "cards/[id]/close": cardsIdClose,
  "cards/[id]/freeze": cardsIdFreeze,
  "cards/[id]/mock-transaction": cardsIdMockTransaction,
  "cards/[id]/notes": cardsIdNotes,
  "cards/[id]/replace": cardsIdReplace,
  "cards/[id]/spending-controls": cardsIdSpendingControls,
  "cards/[id]/statement": cardsIdStatement,
  "cards/[id]/transactions": cardsIdTransactions,
  "cards/[id]/unfreeze": cardsIdUnfreeze,
  "cards/create-virtual-card": cardsCreateVirtualCard,
  "cards/credit/balance": cardsCreditBalance,
  "cards/debit/balance": cardsDebitBalance,
  "cards/top-up": cardsTopUp,
  "cards/transaction/[id]": cardsTransactionId,
  "deprecations": deprecations,
  "events": events,
  "events/[id]": eventsId,
  "exports/audit-log": exportsAuditLog,
  "exports/bulk-results/[id]": exportsBulkResultsId,
  "exports/cards": exportsCards,
  "exports/cards/[id]/statement": exportsCardsIdStatement,
  "exports/float-entries": exportsFloatEntries,
  "exports/float-statement": exportsFloatStatement,
  "exports/transactions": exportsTransactions,
  "health/live": healthLive,
  "health/ready": healthReady,
  "idempotency-keys/[key]": idempotencyKeysKey,
  "merchant-categories": merchantCategories,
  "openapi.json": openapiJson,
  "processor/authorizations": processorAuthorizations,
  "processor/authorizations/[id]/captures": processorAuthorizationsIdCaptures,
  "processor/authorizations/[id]/increments": processorAuthorizationsIdIncrements,
  "processor/authorizations/[id]/reversals": processorAuthorizationsIdReversals,
  "processor/captures": processorCaptures,
  "processor/funding": processorFunding,
  "processor/refunds": processorRefunds,
  "processor/reversals": processorReversals,
  "sandbox/clock": sandboxClock,
  "sandbox/clock/advance": sandboxClockAdvance,
  "sandbox/clock/reset": sandboxClockReset,
  "sandbox/inbox": sandboxInbox,
  "spending-controls/backtest": spendingControlsBacktest,
  "staff": staff,
  "staff/[id]": staffId,
  "staff/[id]/password-reset": staffIdPasswordReset,
  "staff/[id]/revoke-sessions": staffIdRevokeSessions,
  "staff/invitations": staffInvitations,
  "staff/invitations/[id]": staffInvitationsId,
  "staff/links/accept": staffLinksAccept,
  "staff/links/forgot-password": staffLinksForgotPassword,
  "staff/links/read": staffLinksRead,
  "staff/links/reset-password": staffLinksResetPassword,
  "staff/me/confirm": staffMeConfirm,
  "staff/me/messages": staffMeMessages,
  "staff/me/password": staffMePassword,
  "staff/me/second-factor": staffMeSecondFactor,
  "staff/me/second-factor/enable": staffMeSecondFactorEnable,
  "staff/me/sessions": staffMeSessions,
  "staff/me/sessions/[id]": staffMeSessionsId,
  "staff/messages": staffMessages,
  "staff/second-factor-policy": staffSecondFactorPolicy,
  "transactions": transactions,
  "transactions/[id]": transactionsId,
  "views": views,
  "views/[id]": viewsId,
  "webhook-deliveries": webhookDeliveries,
  "webhook-deliveries/[id]": webhookDeliveriesId,
  "webhook-deliveries/[id]/resend": webhookDeliveriesIdResend,
  "webhook-deliveries/missed": webhookDeliveriesMissed,
  "webhook-deliveries/recover": webhookDeliveriesRecover,
  "webhook-endpoints": webhookEndpoints,
  "webhook-endpoints/[id]": webhookEndpointsId,
  "webhooks": webhooks,
  "webhooks/enable": webhooksEnable,
  "webhooks/reveal-secret": webhooksRevealSecret,
  "webhooks/rotate-secret": webhooksRotateSecret,
  "webhooks/test": webhooksTest,
};
