import { useQuery } from "@tanstack/react-query";
import { ArrowLeftRight, CreditCard, Globe, Radio, User } from "lucide-react";
import type { LucideIcon } from "lucide-react";
import { useId } from "react";
import { usePaused } from "../client/use-paused.ts";
import type { FoundItem, FoundRecord, Source } from "./search-sources.ts";
import { OPERATIONS } from "../client/operations.ts";
import { toCardTitle } from "../ui/card-title.ts";
import { toMinute } from "../ui/time-format.ts";
import { useTimeZone } from "../ui/time-zone.tsx";
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
/** How long typing must pause before the server is asked. */
const PAUSE_MS = 120;

export type FoundCard = AnswerOf<typeof OPERATIONS.listCards>[number];

/** The records that a text finds: a source for each kind, in their fixed order. */
export function usePaletteSearch(
  text: string,
  toCardItems: (card: FoundCard) => readonly FoundItem[],
): Source[] {
  const timeZone = useTimeZone();
  const asked = usePaused(toHint(text) === null ? text : "", PAUSE_MS);
  const cards = useSource(asked, findCards);
  const allCards =
    cards.found.length < Number(SHOWN)
      ? []
      : [{ ...toAll("/cards", asked ?? "", null), icon: CreditCard }];
  const words = asked !== null && asked.length < TEXT_MIN ? "" : asked;
  const ids = asked !== null && !isId(asked) ? "" : asked;
  return [
    { ...cards, heading: "Cards", items: [...cards.found.flatMap(toCardItems), ...allCards] },
    toSource(
      "Transactions",
      ArrowLeftRight,
      useSource(words, (search, signal) => findTransactions(search, signal, timeZone)),
    ),
    toSource("Cardholders", User, useSource(words, findCardholders)),
    toSource("Requests", Globe, useSource(ids, findRequests)),
    toSource("Events", Radio, useSource(ids, findEvent)),
  ];
}

interface Answer<Found> {
  found: readonly Found[];
  isAnswered: boolean;
  error: Error | null;
}

/**
 * The results of one source for a text: none for an empty text, and none yet for null, which also cancels the
 * previous search.
 */
function useSource<Found>(
  asked: string | null,
  find: (search: string, signal: AbortSignal) => Promise<readonly Found[]>,
): Answer<Found> {
  const source = useId();
  const query = useQuery({
    queryKey: ["palette", source, asked],
    queryFn: ({ signal }) => find(asked ?? "", signal),
    enabled: asked !== null && asked !== "",
    // Never use earlier results for the actions that a card allows.
    gcTime: 0,
  });
  return {
    found: query.data ?? [],
    isAnswered: asked === "" || (asked !== null && !query.isPending),
    error: query.error,
  };
}

function toSource(
  heading: string,
  icon: LucideIcon,
  { found, ...answer }: Answer<FoundRecord>,
): Source {
  return { ...answer, heading, items: found.map((record) => ({ ...record, icon })) };
}

/** What is missing from the text before a search is possible. */
export function toHint(search: string): string | null {
  const isShort = /^[0-9]+$/u.test(search) && search.length < LAST_DIGITS;
  return isShort ? "Enter all four of a card's last digits, or more of an amount or ID." : null;
}

function findCards(search: string, signal: AbortSignal): Promise<readonly FoundCard[]> {
  return callApi(OPERATIONS.listCards, { query: { search, limit: SHOWN } }, { signal });
}

async function findTransactions(search: string, signal: AbortSignal, timeZone: string) {
  const query = { search, limit: SHOWN };
  const { data, next_cursor } = await callApi(OPERATIONS.listTransactions, { query }, { signal });
  const titles = await findTitles(new Set(data.map(({ card_id }) => card_id)), signal);
  return [
    ...data.map((transaction) =>
      toTransaction(transaction, titles.get(transaction.card_id), timeZone),
    ),
    ...(next_cursor === null ? [] : [toAll("/transactions", search, null)]),
  ];
}

/** The titles of cards, by their ids. */
async function findTitles(ids: ReadonlySet<string>, signal: AbortSignal) {
  const cards = await Promise.all(
    [...ids].map((id) => callApi(OPERATIONS.getCard, { id }, { signal })),
  );
  return new Map(
    cards.map(({ id, card_name, last4 }) => [
      id,
      // Keeps the digits on the same line as their dots.
      toCardTitle(card_name, last4).replace("•••• ", "••••\u00A0"),
    ]),
  );
}

async function findCardholders(search: string, signal: AbortSignal) {
  const query = { search, limit: SHOWN };
  const { data, total } = await callApi(OPERATIONS.listUsers, { query }, { signal });
  return [
    ...data.map(toCardholder),
    ...(total > data.length ? [toAll("/cardholders", search, total)] : []),
  ];
}

/** Links to the list of everything that a search finds. */
export function toAll(path: string, search: string, total: number | null): FoundRecord {
  return {
    href: `${path}?${new URLSearchParams({ search })}`,
    name: total === null ? "See all" : `See all (${total.toLocaleString("en-US")})`,
    detail: `that match “${search}”`,
  };
}

async function findRequests(id: string, signal: AbortSignal) {
  const query = { request_id: id, limit: "1" };
  const { data } = await callApi(OPERATIONS.listApiLog, { query }, { signal });
  return data.map(toRequest);
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
  cardTitle: string | undefined,
  timeZone: string,
): FoundRecord {
  const { id, type, status, amount, currency, narrative, merchant, created_at } = transaction;
  const about = [
    formatMoney(amount, currency),
    TRANSACTION_STATUS_NAMES[status],
    toMinute(new Date(created_at), timeZone),
    cardTitle,
  ];
  return {
    href: `/transactions/${id}`,
    name: narrative ?? merchant?.name ?? TRANSACTION_TYPE_NAMES[type],
    detail: about.filter((part) => part !== undefined).join(" · "),
  };
}

function toCardholder(user: AnswerOf<typeof OPERATIONS.listUsers>["data"][number]): FoundRecord {
  return {
    href: `/cardholders/${user.id}`,
    name: `${user.first_name} ${user.last_name}`,
    detail: user.erasure ? "Erased" : user.email,
  };
}

/** Links a request to its row in the API log. */
function toRequest(request: AnswerOf<typeof OPERATIONS.listApiLog>["data"][number]): FoundRecord {
  return {
    href: `/developers/api-log/${request.id}`,
    name: `${request.method} ${request.path}`,
    detail: `Answered ${request.status}`,
  };
}
