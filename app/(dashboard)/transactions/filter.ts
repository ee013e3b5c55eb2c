import { DECLINE_REASONS } from "#lib/transactions/decline-rules.ts";
import type { DeclineReason } from "#lib/transactions/decline-rules.ts";
import { toDay } from "../../ui/day-range.ts";
import { toText } from "../../ui/search-params.ts";
import type { Param } from "../../ui/search-params.ts";
import { ID_PATTERN } from "#lib/base/ids.ts";
import {
  POSTED_WITHOUT_APPROVAL,
  TRANSACTION_STATUSES,
  TRANSACTION_TYPES,
} from "#lib/transactions/transaction-kinds.ts";
import type {
  PostedWithoutApproval,
  TransactionStatus,
  TransactionType,
} from "#lib/transactions/transaction-kinds.ts";

/** The members of the list's URL that filter it. Days are whole ones in the account's time zone, both inclusive. */
export interface Filter {
  search?: string | undefined;
  type?: TransactionType | undefined;
  status?: TransactionStatus | undefined;
  decline_reason?: DeclineReason | undefined;
  /** `any`: whatever the card network posted without an approval. */
  posted_as?: PostedWithoutApproval | "any" | undefined;
  card_id?: string | undefined;
  /** `2026-01-31` */
  from?: string | undefined;
  to?: string | undefined;
  /** Minor units. */
  amount_min?: string | undefined;
  amount_max?: string | undefined;
}

export type FilterName = keyof Filter;

const MINOR_UNITS = /^[0-9]{1,15}$/u;
/** The API's limit. */
const SEARCH_MAX = 255;

/** Filters from the URL; invalid values are ignored. */
export function toFilter(search: Readonly<Partial<Record<FilterName, Param>>>): Filter {
  return {
    search: toText(search.search)?.trim().slice(0, SEARCH_MAX) || undefined,
    type: TRANSACTION_TYPES.find((each) => each === search.type),
    status: TRANSACTION_STATUSES.find((each) => each === search.status),
    decline_reason: DECLINE_REASONS.find((each) => each === search.decline_reason),
    posted_as: ["any" as const, ...POSTED_WITHOUT_APPROVAL].find(
      (each) => each === search.posted_as,
    ),
    card_id: toMatch(search.card_id, ID_PATTERN)?.toLowerCase(),
    from: toDay(search.from),
    to: toDay(search.to),
    amount_min: toMatch(search.amount_min, MINOR_UNITS),
    amount_max: toMatch(search.amount_max, MINOR_UNITS),
  };
}

function toMatch(given: Param, pattern: RegExp): string | undefined {
  const text = toText(given);
  return text !== undefined && pattern.test(text) ? text : undefined;
}
