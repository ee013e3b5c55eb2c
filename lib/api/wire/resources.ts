import type { z } from "zod";
import type { registerUser } from "#lib/operations/cardholders/register-user.ts";
import type { exportFloatEntries } from "#lib/operations/exports/export-float-entries.ts";
import type { exportTransactions } from "#lib/operations/exports/export-transactions.ts";
import type { Cardholder } from "#lib/cards/cardholder-reads.ts";
import { isErased } from "#lib/cards/cardholder-state.ts";
import { toTransactionResource } from "#lib/transactions/transaction-resource.ts";
import type { Activity } from "#lib/transactions/card-activity.ts";
import type { FloatEntry, FloatFilter } from "#lib/funds/float-statement.ts";
import type { Float } from "#lib/funds/funds.ts";
import type { SandboxClock } from "#lib/clock/sandbox-clock.ts";
import type { Account } from "#lib/integrators/integrators.ts";
import type { TransactionFilter } from "#lib/transactions/transaction-filter.ts";

/**
 * The one place where domain rows become wire resources. Cards are in `lib/cards/card-resource.ts`,
 * because events use them too.
 */

/** Converts a filter from its wire form to its domain form. */
export function toTransactionFilter(query: TransactionQuery): Omit<TransactionFilter, "limit"> {
  return {
    cardId: query.card_id,
    cardholderId: query.user_id,
    types: query.type,
    statuses: query.status,
    declineReasons: query.decline_reason,
    postedAs: query.posted_as,
    covered: query.covered,
    amountMin: query.amount_min,
    amountMax: query.amount_max,
    from: query.from,
    to: query.to,
    search: query.search,
  };
}

type TransactionQuery = z.output<(typeof exportTransactions)["query"]>;

/** As `toTransactionFilter`, for the float's statement. */
export function toFloatFilter(query: FloatQuery): Omit<FloatFilter, "cursor"> {
  return { kind: query.kind, cardId: query.card_id, from: query.from, to: query.to };
}

type FloatQuery = z.output<(typeof exportFloatEntries)["query"]>;

export function toClockResource({ now, offsetS, advancingTo }: SandboxClock) {
  return {
    now: now.toISOString(),
    offset_seconds: offsetS,
    advancing_to: advancingTo?.toISOString() ?? null,
  };
}

export function toFloatResource(float: Float) {
  return {
    id: float.id,
    balance: float.balance,
    currency: float.currency,
    available: float.available,
    deficit: float.deficit,
    low_balance_threshold: float.lowBalanceThreshold,
    updated_at: float.updatedAt.toISOString(),
  };
}

export function toFloatEntryResource(entry: FloatEntry) {
  return {
    transfer_id: entry.transferId,
    kind: entry.kind,
    amount: entry.amount,
    currency: entry.currency,
    balance_after: entry.balanceAfter,
    version: entry.version,
    card_id: entry.cardId,
    narrative: entry.narrative,
    request_id: entry.requestId,
    created_at: entry.createdAt.toISOString(),
  };
}

export function toAccountResource(account: Account) {
  return {
    id: account.id,
    business_name: account.businessName,
    business_address: account.businessAddress,
    domain: account.domain,
    webhook_url: account.webhookUrl,
    email: account.email,
    first_name: account.firstName,
    last_name: account.lastName,
    contact_number: account.contactNumber,
    country: account.country,
    registration_number: account.registrationNumber,
    program_name: account.programName,
    card_color: account.cardColor,
    time_zone: account.timeZone,
    float_currencies: [account.currency],
    environment: account.environment,
    api_version: account.apiVersion,
    low_balance_threshold: account.lowBalanceThreshold,
    idempotency_required: account.idempotencyRequired,
    freeze_reason_required: account.freezeReasonRequired,
    log_bodies: account.logBodies,
    suspended_at: account.suspendedAt?.toISOString() ?? null,
    created_at: account.createdAt.toISOString(),
    updated_at: account.updatedAt.toISOString(),
  };
}

/** Converts an address from its wire form to its domain form. */
export function toAddress({
  zip_code: zipCode,
  ...address
}: z.output<(typeof registerUser)["body"] & {}>["address"]): Cardholder["address"] {
  return { ...address, zipCode };
}

export function toUserResource(cardholder: Cardholder) {
  const { zipCode, ...address } = cardholder.address;
  return {
    id: cardholder.id,
    card_integrator_id: cardholder.integratorId,
    email: cardholder.email,
    first_name: cardholder.firstName,
    last_name: cardholder.lastName,
    phone_number: cardholder.phoneNumber,
    id_type: cardholder.idType,
    id_last4: cardholder.idLast4,
    address: { ...address, zip_code: zipCode },
    user_photo: cardholder.userPhoto,
    verified: cardholder.verified,
    archived: cardholder.archived,
    erasure: cardholder.erasedAt && {
      status: isErased(cardholder) ? ("completed" as const) : ("in_progress" as const),
      began_at: cardholder.erasedAt.toISOString(),
    },
    created_at: cardholder.createdAt.toISOString(),
    updated_at: cardholder.updatedAt.toISOString(),
  };
}

function toStateChange(change: Extract<Activity, { type: "state_change" }>["stateChange"]) {
  return { ...change, until: change.until?.toISOString() ?? null };
}

export function toActivityResource(activity: Activity) {
  return {
    id: activity.id,
    type: activity.type,
    created_at: activity.createdAt.toISOString(),
    actor: activity.actor,
    request_id: activity.requestId,
    state_change: activity.type === "state_change" ? toStateChange(activity.stateChange) : null,
    transaction:
      activity.type === "transaction" ? toTransactionResource(activity.transaction) : null,
    refusal: activity.type === "refused_attempt" ? activity.refusal : null,
    note: activity.type === "note" ? toNoteResource(activity) : null,
  };
}

/** Names the card, by which an erasure finds the saved answer of the request that wrote the note. */
function toNoteResource({ cardId, note }: Extract<Activity, { type: "note" }>) {
  return { card_id: cardId, transaction_id: note.transactionId, comment: note.comment };
}
