import type { Merchant } from "#lib/transactions/card-transaction-records.ts";

/** What a merchant sends with a typical purchase. */
export interface SamplePurchase {
  merchant: Merchant;
  narrative: string;
  /** Minor units. */
  amount: number;
}

const SHOPS = [
  ["Harbour Coffee", "5814", "Bristol", "GB", "HARBOUR COFFEE BRISTOL GBR", 450],
  ["City Line Trains", "4112", "London", "GB", "CITYLINE*TKT 7741 WEB", 3_280],
  ["Green Basket", "5411", "Bristol", "GB", "GREEN BASKET 0219", 2_345],
  ["Kiosk am Markt", "5994", "München", "DE", "KIOSK AM MARKT MÜNCHEN", 620],
  ["Paper & Ink", "5943", "Bath", "GB", "PAPER & INK LTD ORDER 5521", 1_899],
  ["喫茶さくら", "5812", "京都", "JP", "喫茶さくら 京都店 ☕️", 980],
  ["Ferry Direct", "4411", "Dover", "GB", "FERRYDIRECT DOVER-CALAIS", 4_150],
  ["Cloud Desk", "5734", "Dublin", "IE", "CLOUDDESK.EXAMPLE SUBSCR", 1_200],
  ["Кафе «Ёлка»", "5812", "Рига", "LV", "КАФЕ ЁЛКА РИГА", 1_040],
  ["Quay Hotel", "7011", "Porto", "PT", "QUAY HOTEL PORTO DEPOSIT", 5_200],
  ["Night Pharmacy", "5912", "Bristol", "GB", "NIGHT PHARMACY 24H", 875],
] as const;

/** Invented purchases, for the demo and for simulations. */
export const SAMPLE_PURCHASES = SHOPS.map(
  ([name, mcc, city, country, narrative, amount]): SamplePurchase => ({
    merchant: { name, mcc, city, country },
    narrative,
    amount,
  }),
);
