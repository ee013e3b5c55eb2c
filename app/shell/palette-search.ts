import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { OPERATIONS } from "../client/operations.ts";
import { ApiProblem, callApi } from "#lib/api/client.ts";
import type { AnswerOf } from "#lib/api/client.ts";
import { isId } from "#lib/base/ids.ts";
import { formatMoney } from "#lib/base/money.ts";
import {
  TRANSACTION_STATUS_NAMES,
  TRANSACTION_TYPE_NAMES,
} from "#lib/transactions/transaction-kinds.ts";

const SHOWN = "5";
/** Shorter text matches too much to be useful. */
const TEXT_MIN = 3;
const LAST_DIGITS = 4;

export type FoundCard = AnswerOf<typeof OPERATIONS.listCards>[number];

/** A search result and its address. */
export interface FoundRecord {
  href: string;
  name: string;
  detail: string;
}

export interface Found {
  cards: readonly FoundCard[];
  transactions: readonly FoundRecord[];
  cardholders: readonly FoundRecord[];
  requests: readonly FoundRecord[];
  events: readonly FoundRecord[];
}

const NOTHING: Found = { cards: [], transactions: [], cardholders: [], requests: [], events: [] };

/** Finds cards, transactions, cardholders, and, by its ID, a request or an event. */
export function usePaletteSearch(search: string) {
  const isAsked = search !== "" && toHint(search) === null;
  const query = useQuery({
    queryKey: ["palette", search],
    queryFn: ({ signal }) => findAll(search, signal),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  return { ...query, found: isAsked ? (query.data ?? NOTHING) : NOTHING };
}

/** What is missing from the text before a search is possible. */
export function toHint(search: string): string | null {
  const isShort = /^[0-9]+$/u.test(search) && search.length < LAST_DIGITS;
  return isShort ? "Enter all four of a card's last digits, or more of an amount or ID." : null;
}

async function findAll(search: string, signal: AbortSignal): Promise<Found> {
  const [cards, byText, byId] = await Promise.all([
    callApi(OPERATIONS.listCards, { query: { search, limit: SHOWN } }, { signal }),
    search.length >= TEXT_MIN ? findByText(search, signal) : NOTHING,
    isId(search) ? findById(search, signal) : NOTHING,
  ]);
  const { transactions, cardholders } = byText;
  return { cards, transactions, cardholders, requests: byId.requests, events: byId.events };
}

async function findByText(search: string, signal: AbortSignal) {
  const query = { search, limit: SHOWN };
  const [transactions, users] = await Promise.all([
    callApi(OPERATIONS.listTransactions, { query }, { signal }),
    callApi(OPERATIONS.listUsers, { query }, { signal }),
  ]);
  return {
    transactions: [
      ...transactions.data.map(toTransaction),
      ...toAll("/transactions", search, transactions.next_cursor),
    ],
    cardholders: [
      ...users.data.map(toCardholder),
      ...toAll("/cardholders", search, users.next_cursor),
    ],
  };
}

/** The list of all that a search finds, if there is more than the palette shows. */
export function toAll(path: string, search: string, nextCursor: string | null): FoundRecord[] {
  const href = `${path}?${new URLSearchParams({ search })}`;
  return nextCursor === null ? [] : [{ href, name: "See all", detail: `that match “${search}”` }];
}

async function findById(id: string, signal: AbortSignal) {
  const [requests, events] = await Promise.all([
    callApi(OPERATIONS.listApiLog, { query: { request_id: id, limit: "1" } }, { signal }),
    findEvent(id, signal),
  ]);
  return { requests: requests.data.map(toRequest), events };
}

async function findEvent(id: string, signal: AbortSignal): Promise<FoundRecord[]> {
  try {
    const { data } = await callApi(OPERATIONS.getEvent, { id }, { signal });
    const { event, subject } = data;
    return [
      { href: `/developers/events/${id}`, name: event, detail: `Event of a ${subject.type}` },
    ];
  } catch (error) {
    // Most ids belong to other records.
    if (error instanceof ApiProblem && error.problem.code === "event_not_found") {
      return [];
    }
    throw error;
  }
}

function toTransaction(
  transaction: AnswerOf<typeof OPERATIONS.listTransactions>["data"][number],
): FoundRecord {
  const { id, type, status, amount, currency, narrative, merchant } = transaction;
  return {
    href: `/transactions/${id}`,
    name: narrative ?? merchant?.name ?? TRANSACTION_TYPE_NAMES[type],
    detail: `${formatMoney(amount, currency)} · ${TRANSACTION_STATUS_NAMES[status]}`,
  };
}

function toCardholder(user: AnswerOf<typeof OPERATIONS.listUsers>["data"][number]): FoundRecord {
  return {
    href: `/cardholders/${user.id}`,
    name: `${user.first_name} ${user.last_name}`,
    detail: user.erasure ? "Erased" : user.email,
  };
}

/** A request leads to its row in the API log. */
function toRequest(request: AnswerOf<typeof OPERATIONS.listApiLog>["data"][number]): FoundRecord {
  return {
    href: `/developers/api-log/${request.id}`,
    name: `${request.method} ${request.path}`,
    detail: `Answered ${request.status}`,
  };
}
