import type { CardholderRegistration } from "#lib/cards/cardholders.ts";
import type { FreezeReason } from "#lib/cards/card-state.ts";

const NAMES = [
  ["Amara", "Diallo"],
  ["Noah", "Lindqvist"],
  ["Mei", "Tanaka"],
  ["Jonas", "Keller"],
  ["Priya", "Raman"],
  ["Luca", "Moretti"],
  ["Sofia", "Marques"],
  ["Elias", "Haddad"],
  ["Hana", "Novak"],
  ["Tomas", "Silva"],
  ["Ingrid", "Solberg"],
  ["Kwame", "Mensah"],
  ["Yara", "Costa"],
  ["Felix", "Braun"],
  ["Aiko", "Mori"],
  ["Daniel", "Okafor"],
  ["Leila", "Farouk"],
  ["Mateo", "Vargas"],
  ["Nina", "Petrova"],
  ["Owen", "Walsh"],
  ["Zoe", "Laurent"],
  ["Samir", "Aziz"],
  ["Clara", "Jensen"],
  ["Rafael", "Ortiz"],
  ["Maya", "Cohen"],
] as const;

/** How many are there from the first days; the others join one by one. */
const FOUNDERS = 10;
const JOINS_EVERY_DAYS = 5;

/** A cardholder of the demo, and how they use their card. */
export interface Member {
  registration: CardholderRegistration;
  /** The day on which they receive their card, counted from 0. */
  joins: number;
  designType: "midnight" | "sand" | "forest" | "coral";
  validityDays: number;
  /** Their card is for one purchase. */
  singleUse: boolean;
  /** What they receive every week, in minor units. */
  allowance: number;
  /** How many purchases they make on a weekday, on average. */
  pace: number;
  subscribes: boolean;
}

const DESIGNS = ["midnight", "sand", "forest", "coral"] as const;
const ALLOWANCES = [9_000, 6_000, 7_500, 5_000, 7_000] as const;
const PACES = [0.62, 0.36, 0.52, 0.3] as const;

/** The first one's card is the one of the guides. The fifth one's card is short-lived. */
export const CAST: readonly Member[] = NAMES.map(([firstName, lastName], index) => ({
  registration: toRegistration(index, { firstName, lastName }),
  joins: index < FOUNDERS ? index % 3 : 3 + (index - FOUNDERS + 1) * JOINS_EVERY_DAYS,
  designType: DESIGNS[index % DESIGNS.length] ?? "midnight",
  validityDays: index === 4 ? 60 : index % 2 ? 365 : 1_095,
  singleUse: index % 9 === 7,
  allowance: index === 0 ? 12_000 : (ALLOWANCES[index % ALLOWANCES.length] ?? 0),
  pace: PACES[index % PACES.length] ?? 0,
  subscribes: index % 6 === 2 || index === 11,
}));

function toRegistration(
  index: number,
  { firstName, lastName }: { firstName: string; lastName: string },
): CardholderRegistration {
  return {
    email: `${firstName}.${lastName}@cardholders.example`.toLowerCase(),
    firstName,
    lastName,
    phoneNumber: `+4477009${String(index).padStart(5, "0")}`,
    idType: "passport",
    idNumber: `P${String(index).padStart(8, "0")}`,
    address: {
      city: "Bristol",
      country: "GB",
      line1: `${index + 1} Quay Street`,
      line2: null,
      state: "Bristol",
      zipCode: "BS1 4DJ",
    },
    userPhoto: null,
  };
}

/** A freeze, and what ends it. Days are counted back from now. */
export interface Freeze {
  member: number;
  daysAgo: number;
  reason: FreezeReason;
  comment: string | null;
  /** Absent while the card is still frozen. */
  end?: { afterHours: number; how: "unfreeze" | "replace" };
}

export const FREEZES: readonly Freeze[] = [
  {
    member: 9,
    daysAgo: 71,
    reason: "stolen",
    comment: "Bag stolen on the train",
    end: { afterHours: 2, how: "replace" },
  },
  {
    member: 1,
    daysAgo: 52,
    reason: "cardholder_request",
    comment: null,
    end: { afterHours: 5, how: "unfreeze" },
  },
  {
    member: 3,
    daysAgo: 38,
    reason: "lost",
    comment: "Left in a taxi",
    end: { afterHours: 30, how: "replace" },
  },
  {
    member: 13,
    daysAgo: 24,
    reason: "inactivity",
    comment: null,
    end: { afterHours: 97, how: "unfreeze" },
  },
  {
    member: 6,
    daysAgo: 12,
    reason: "cardholder_request",
    comment: "On vacation",
    end: { afterHours: 150, how: "unfreeze" },
  },
  { member: 21, daysAgo: 3.2, reason: "internal_review", comment: "Receipts are missing" },
  { member: 8, daysAgo: 1.1, reason: "suspected_fraud", comment: null },
];

/** They leave this many days ago, and their card is closed. */
export const LEAVERS: readonly { member: number; daysAgo: number }[] = [
  { member: 11, daysAgo: 33 },
  { member: 17, daysAgo: 6.3 },
];
