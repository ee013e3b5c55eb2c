import type { z } from "zod";
import type { cardFilter } from "#lib/api/contract/filters.ts";
import type { CardFilter } from "#lib/cards/card-filter.ts";
import type { FloatFilter } from "#lib/funds/float-statement.ts";
import { toAuditSearch } from "#lib/audit/audit-titles.ts";
import type { exportAuditLog } from "#lib/operations/exports/export-audit-log.ts";
import type { exportFloatEntries } from "#lib/operations/exports/export-float-entries.ts";
import type { exportTransactions } from "#lib/operations/exports/export-transactions.ts";
import type { AuditFilter } from "#lib/record/audit.ts";
import type { TransactionFilter } from "#lib/transactions/transaction-filter.ts";

/** The filters in requests, converted to their domain form. */

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
    mcc: query.mcc,
    country: query.country,
    merchant: query.merchant,
    postedFrom: query.posted_from,
    postedTo: query.posted_to,
    amountMin: query.amount_min,
    amountMax: query.amount_max,
    from: query.from,
    to: query.to,
    search: query.search,
  };
}

type TransactionQuery = z.output<(typeof exportTransactions)["query"]>;

/** Like `toTransactionFilter`, for the float's statement. */
export function toFloatFilter(query: FloatQuery): Omit<FloatFilter, "cursor"> {
  return { kind: query.kind, cardId: query.card_id, from: query.from, to: query.to };
}

type FloatQuery = z.output<(typeof exportFloatEntries)["query"]>;

/** Converts a filter of the audit log from its wire form to its domain form. */
export function toAuditFilter({
  actor_id: actorId,
  target_id: targetId,
  action,
  search,
  from,
  to,
}: AuditQuery): Omit<AuditFilter, "limit" | "cursor"> {
  return { action, actorId, targetId, search: toAuditSearch(search), from, to };
}

type AuditQuery = z.output<(typeof exportAuditLog)["query"]>;

type FilterQuery = { [Name in keyof typeof cardFilter]?: z.output<(typeof cardFilter)[Name]> };

/** Converts a filter of cards from its wire form to its domain form. */
export function toCardFilter<Query extends FilterQuery>(query: Query) {
  const {
    user_id: cardholderId,
    status: statuses,
    freeze_ends_before: freezeEndsBefore,
    cover_outstanding: owing,
    ...rest
  } = query;
  const hasCover = owing && true;
  return {
    ...rest,
    cardholderId,
    statuses,
    freezeEndsBefore,
    hasCover,
  } satisfies Partial<CardFilter>;
}
