import type { Asker, Cast } from "./cast.ts";
import { driveHttp, toRequestBytes } from "./http-load.ts";
import type { Case, Scene } from "./cases.ts";

/** A request of each kind whose cost must not grow with what its integrator has. */
const ASKED: Readonly<Record<string, (asker: Asker) => Buffer>> = {
  credit: (cast) =>
    toRequestBytes("PATCH /api/cards/credit/balance", {
      key: cast.apiKey,
      body: JSON.stringify({ card_id: cast.pickCard(), amount: 1 }),
    }),
  "list cards": (cast) => toGet(cast, "/cards"),
  "list cards of one status": (cast) => toGet(cast, "/cards?status=frozen&limit=5"),
  "list cards of a status none has": (cast) => toGet(cast, "/cards?status=closed"),
  "list cards of one holder": (cast) => toGet(cast, `/cards?user_id=${cast.middle.cardholderId}`),
  "list cards from the middle": (cast) => toGet(cast, `/cards?cursor=${cast.middle.id}`),
  "search a card by its last four": (cast) =>
    toGet(cast, `/cards?search=${cast.middle.last4}&limit=1`),
  "search a card by its id": (cast) => toGet(cast, `/cards?search=${cast.middle.id}`),
  "search cards by a common name": (cast) => toGet(cast, "/cards?search=tanaka&limit=5"),
  "search cards by a rare name": (cast) =>
    toGet(cast, `/cards?search=${encodeURIComponent(cast.middle.name.slice(-5))}`),
  "search cards by a name none has": (cast) => toGet(cast, "/cards?search=zzyzx"),
  "show a card": (cast) => toGet(cast, `/cards/${cast.pickCard()}`),
  "a card's transactions": (cast) => toGet(cast, `/cards/${cast.pickCard()}/transactions`),
  "a card's activity": (cast) => toGet(cast, `/cards/${cast.pickCard()}/activity`),
  "a familiar card's transactions": (cast) =>
    toGet(cast, `/cards/${cast.pickFamiliarCard()}/transactions`),
  "a familiar card's activity": (cast) => toGet(cast, `/cards/${cast.pickFamiliarCard()}/activity`),
  "list transactions": (cast) => toGet(cast, "/transactions"),
  "list transactions of one type": (cast) => toGet(cast, "/transactions?type=debit"),
  "list transactions of a status none has": (cast) => toGet(cast, "/transactions?status=declined"),
  "list transactions of a time": (cast) =>
    toGet(cast, `/transactions?to=${new Date(Date.now() - 30 * 86_400_000).toISOString()}`),
  "search transactions by a common word": (cast) => toGet(cast, "/transactions?search=allowance"),
  "search transactions by a rare word": (cast) =>
    toGet(cast, `/transactions?search=${encodeURIComponent(cast.middle.word)}`),
  "search transactions by a word none has": (cast) => toGet(cast, "/transactions?search=zzyzx"),
  "the float's statement": (cast) => toGet(cast, "/card-integrators/float/entries"),
  "the overview, as a page": (asker) => toPage(asker, "/overview"),
  "the cards, as a page": (asker) => toPage(asker, "/cards"),
  "a card, as a page": (asker) => toPage(asker, `/cards/${asker.pickCard()}`),
};

/** The kinds of request, each of them a case for the small integrator and one for the large. */
export const GROWTH: readonly string[] = Object.keys(ASKED);

/** One client, so that what is compared is the cost of a request and not what else waits. */
export function toGrowthCases({ product }: Scene, sizes: { small: Asker; large: Asker }): Case[] {
  return Object.entries(ASKED).flatMap(([name, ask]) =>
    (["small", "large"] as const).map((size): Case => ({
      name: `${name}, ${size}`,
      run: (durationMs) => driveHttp(product, { clients: 1, durationMs }, () => ask(sizes[size])),
    })),
  );
}

function toGet(cast: Cast, path: string): Buffer {
  return toRequestBytes(`GET /api${path}`, { key: cast.apiKey });
}

function toPage({ cookies }: Asker, path: string): Buffer {
  return toRequestBytes(`GET ${path}`, { key: "none" }, `Cookie: ${cookies}\r\n`);
}
