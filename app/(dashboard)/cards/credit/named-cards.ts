import { OPERATIONS } from "../../../client/operations.ts";
import { callApi } from "#lib/api/client.ts";

/** A card named by digits and name, in a row without an ID. */
export interface NamedCard {
  last4: string;
  name: string;
}

/** A card that may be meant. */
interface Candidate {
  id: string;
  card_name: string;
  last4: string;
  status: string;
}

/** How many cards a file may name this way: each takes a look-up of its own. */
export const NAMED_MAX = 500;
/** How many look-ups run at once. */
const AT_ONCE = 5;
/** With more candidates than this for the same digits and name, the card cannot be determined. */
const CANDIDATES = "100";
/** The longest text that a search takes. */
const SEARCH_MAX = 255;

/**
 * The card that cells name. Spreadsheets drop zeros at the front, and our own files protect digits as `="0042"`.
 * @returns null for cells that name no card.
 */
export function toNamedCard(digits: string, name: string): NamedCard | null {
  const found = /^(?:=")?(?<last4>[0-9]{1,4})"?$/u.exec(digits)?.groups?.["last4"];
  return found === undefined || name === "" ? null : { last4: found.padStart(4, "0"), name };
}

/** A name in the form for comparisons: without case, accents, and extra spaces. */
function toComparable(name: string): string {
  return name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/\s+/gu, " ")
    .trim()
    .toUpperCase();
}

const toKey = ({ last4, name }: NamedCard) => `${last4} ${toComparable(name)}`;

/** The one candidate that is meant, or why none can be determined. A closed card is never meant. */
export function pickCard(
  named: NamedCard,
  candidates: readonly Candidate[],
): { cardId: string } | { why: string } {
  const same = candidates.filter(
    ({ last4, card_name: name, status }) =>
      status !== "closed" && toKey({ last4, name }) === toKey(named),
  );
  const [only] = same;
  if (!only) {
    return { why: `No open card of ${named.name} ends in ${named.last4}.` };
  }
  return same.length === 1
    ? { cardId: only.id }
    : {
        why: `${same.length} cards of ${named.name} end in ${named.last4}. Name the card by its ID.`,
      };
}

/**
 * Looks up cards that rows name. @throws ApiProblem when one fails. @returns what `readCreditFile` finds cards with.
 */
export async function lookUp(named: readonly NamedCard[]) {
  const waiting = new Map(named.map((card) => [toKey(card), card])).entries();
  const found = new Map<string, ReturnType<typeof pickCard>>();
  const work = async () => {
    for (const [key, card] of waiting) {
      const search = `${card.last4} ${card.name}`.slice(0, SEARCH_MAX);
      const query = { search, limit: CANDIDATES };
      found.set(key, pickCard(card, await callApi(OPERATIONS.listCards, { query })));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return (card: NamedCard) => found.get(toKey(card)) ?? pickCard(card, []);
}
