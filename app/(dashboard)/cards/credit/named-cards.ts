import { OPERATIONS } from "../../../client/operations.ts";
import { callApi } from "#lib/api/client.ts";

/** A card as a row names it that has no ID. */
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

/** How many cards a file may name like this: each is looked up by itself. */
export const NAMED_MAX = 500;
/** How many are looked up at once. */
const AT_ONCE = 5;
/** More than these with the same digits and names are nobody's. */
const CANDIDATES = "100";
/** The longest text that a search takes. */
const SEARCH_MAX = 255;

/**
 * The card that cells name. Spreadsheets drop zeros at the front, and our own files protect digits as `="0042"`.
 * @returns null for cells that name none.
 */
export function toNamedCard(digits: string, name: string): NamedCard | null {
  const found = /^(?:=")?(?<last4>[0-9]{1,4})"?$/u.exec(digits)?.groups?.["last4"];
  return found === undefined || name === "" ? null : { last4: found.padStart(4, "0"), name };
}

/** A name as names are compared: whatever its case, its accents, and its spaces. */
function toComparable(name: string): string {
  return name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/\s+/gu, " ")
    .trim()
    .toUpperCase();
}

const toKey = ({ last4, name }: NamedCard) => `${last4} ${toComparable(name)}`;

/** The one card among candidates that is meant, or why it is none. A closed card is never meant. */
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

/** Looks up cards that rows name. @throws ApiProblem when one fails. @returns what `readCreditFile` finds cards with. */
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
