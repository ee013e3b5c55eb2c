import { SAMPLE_PURCHASES } from "#lib/transactions/sample-purchases.ts";
import type { SamplePurchase } from "#lib/transactions/sample-purchases.ts";

/** Name, category, city, country, narrative, and a typical amount in minor units. */
const MORE = [
  ["Dockside Canteen", "5812", "Bristol", "GB", "DOCKSIDE CANTEEN BRISTOL", 1_150],
  ["Harbour Coffee", "5814", "Bristol", "GB", "HARBOUR COFFEE BRISTOL GBR", 520],
  ["Pier 9 Parking", "7523", "Bristol", "GB", "PIER9 PARKING ZONE B", 640],
  ["Avon Fuels", "5542", "Bath", "GB", "AVON FUELS 118 PAY AT PUMP", 4_680],
  ["Green Basket", "5411", "Bristol", "GB", "GREEN BASKET 0044", 1_760],
  ["Severn Taxis", "4121", "Cardiff", "GB", "SEVERN TAXIS*JOB 88213", 1_420],
  ["Workbench Tools", "5251", "Bristol", "GB", "WORKBENCH TOOLS 07", 3_990],
  ["Parcel Post", "4215", "Swindon", "GB", "PARCELPOST LABELS", 890],
  ["Brunel Print Shop", "7338", "Bristol", "GB", "BRUNEL PRINT SHOP", 2_250],
  ["Le Petit Quai", "5812", "Brest", "FR", "LE PETIT QUAI BREST FRA", 2_780],
] as const;

/** Where the demo's cardholders buy. */
export const DEMO_PURCHASES: readonly SamplePurchase[] = [
  ...SAMPLE_PURCHASES.filter(({ merchant }) => merchant.name !== "Cloud Desk"),
  ...MORE.map(([name, mcc, city, country, narrative, amount]) => ({
    merchant: { name, mcc, city, country },
    narrative,
    amount,
  })),
];

/** Where prices are in euros. */
export const EURO_PURCHASES = DEMO_PURCHASES.filter(({ merchant }) =>
  ["DE", "FR", "LV", "PT"].includes(merchant.country ?? ""),
);

/** Charged every month to the cards that subscribe. */
export const SUBSCRIPTION: SamplePurchase = {
  merchant: { name: "Cloud Desk", mcc: "5734", city: "Dublin", country: "IE" },
  narrative: "CLOUDDESK.EXAMPLE SUBSCR",
  amount: 2_400,
};

/** Purchases on a stolen card, or on one that runs out of funds. */
export const COSTLY: SamplePurchase = {
  merchant: { name: "Bright Electronics", mcc: "5732", city: "London", country: "GB" },
  narrative: "BRIGHT ELECTRONICS LDN 4410",
  amount: 149_900,
};
