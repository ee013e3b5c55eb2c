import type { Asker, Fixture } from "./fixture.ts";
import { driveHttp, toPageRequest, toRequestBytes } from "./http-load.ts";
import { toCredit } from "./requests.ts";
import type { Case, Scene } from "./cases.ts";

/** The path of one read of each kind whose cost must not grow with the size of the account. */
export const READS: Readonly<Record<string, (fixture: Fixture) => string>> = {
  "list cards": () => "/cards",
  "list cards of one status": () => "/cards?status=frozen&limit=5",
  "list cards of a status none has": () => "/cards?status=closed",
  "list cards of one holder": (fixture) => `/cards?user_id=${fixture.middle.cardholderId}`,
  "list cards from the middle": (fixture) => `/cards?cursor=${fixture.middle.id}`,
  "search a card by its last four": (fixture) => `/cards?search=${fixture.middle.last4}&limit=1`,
  "search a card by its id": (fixture) => `/cards?search=${fixture.middle.id}`,
  "search cards by a common name": () => "/cards?search=tanaka&limit=5",
  "search cards by a rare name": (fixture) =>
    `/cards?search=${encodeURIComponent(fixture.middle.name.slice(-5))}`,
  "search cards by a name none has": () => "/cards?search=zzyzx",
  "show a card": (fixture) => `/cards/${fixture.pickCard()}`,
  "a card's transactions": (fixture) => `/cards/${fixture.pickCard()}/transactions`,
  "a card's activity": (fixture) => `/cards/${fixture.pickCard()}/activity`,
  "show a familiar card": (fixture) => `/cards/${fixture.pickFamiliarCard()}`,
  "a familiar card's transactions": (fixture) =>
    `/cards/${fixture.pickFamiliarCard()}/transactions`,
  "a familiar card's activity": (fixture) => `/cards/${fixture.pickFamiliarCard()}/activity`,
  "list transactions": () => "/transactions",
  "list transactions of one type": () => "/transactions?type=debit",
  "list transactions of a status none has": () => "/transactions?status=declined",
  "list transactions of a time": () =>
    `/transactions?to=${new Date(Date.now() - 30 * 86_400_000).toISOString()}`,
  "search transactions by a common word": () => "/transactions?search=allowance",
  "search transactions by a rare word": (fixture) =>
    `/transactions?search=${encodeURIComponent(fixture.middle.word)}`,
  "search transactions by a word none has": () => "/transactions?search=zzyzx",
  "the float's statement": () => "/card-integrators/float/entries",
};

/** The path of each page whose cost must not grow with the size of the account. */
export const PAGES: Readonly<Record<string, (fixture: Fixture) => string>> = {
  "the overview, as a page": () => "/overview",
  "the cards, as a page": () => "/cards",
  "a card, as a page": (fixture) => `/cards/${fixture.pickCard()}`,
};

/** How much longer a page is measured than another request: it takes so long that few pages would decide a round. */
const PAGE_FACTOR = 5;

/** One request of each kind whose cost must not grow with the size of the account. */
export const ASKED: Readonly<Record<string, (asker: Asker) => Buffer>> = {
  ...Object.fromEntries(
    Object.entries(READS).map(([name, toPath]) => [
      name,
      (asker: Asker) => toRequestBytes(`GET /api${toPath(asker)}`, { key: asker.apiKey }),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(PAGES).map(([name, toPath]) => [
      name,
      (asker: Asker) => toPage(asker, toPath(asker)),
    ]),
  ),
  "credit a card": ({ apiKey, pickCard }) => toCredit({ key: apiKey, cardId: pickCard() }),
  "credit a familiar card": ({ apiKey, pickFamiliarCard }) =>
    toCredit({ key: apiKey, cardId: pickFamiliarCard() }),
};

/** The kinds of requests. Each is one case for the small account and one for the large. */
export const GROWTH: readonly string[] = Object.keys(ASKED);

/** Requests for a card that nobody has used lately, so that no cache has its rows. Their ratios are reported, without a bound. */
export const UNFAMILIAR: ReadonlySet<string> = new Set([
  "credit a card",
  "show a card",
  "a card's transactions",
  "a card's activity",
]);

/** A single client, so that the cases compare the cost of a request and not its wait for others. */
export function toGrowthCases({ product }: Scene, sizes: { small: Asker; large: Asker }): Case[] {
  return Object.entries(ASKED).flatMap(([name, ask]) =>
    (["small", "large"] as const).map((size): Case => ({
      name: `${name}, ${size}`,
      run: (givenMs) => {
        const durationMs = name in PAGES ? givenMs * PAGE_FACTOR : givenMs;
        return driveHttp(product, { clients: 1, durationMs }, () => ask(sizes[size]));
      },
    })),
  );
}

function toPage({ cookies }: Asker, path: string): Buffer {
  return toPageRequest(path, cookies);
}
