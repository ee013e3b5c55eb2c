import { expect, test } from "vitest";
import { findPostedAs } from "#lib/purchases/posted-as.ts";
import type { Posting } from "#lib/purchases/posted-as.ts";
import type { PostedAs } from "#db/schema/posted-as.ts";

/** A posting of all that its authorization holds, on time and on an active card. */
const usual: Posting = {
  amount: 500,
  authorization: { status: "authorized" },
  open: 500,
  expired: false,
  status: "active",
};
const network = { status: "authorized", approvedBy: "network" } as const;

const CASES: readonly (readonly [string, Partial<Posting>, PostedAs])[] = [
  ["all that is held", {}, "authorized"],
  ["less than is held", { amount: 499 }, "authorized"],
  ["more than is held", { amount: 501 }, "over_authorization"],
  ["an authorization that it does not name", { authorization: null }, "without_authorization"],
  ["one that has not arrived", { authorization: "awaited" }, "before_authorization"],
  ["a declined one", { authorization: { status: "declined" }, open: 0 }, "after_decline"],
  ["a reversed one", { authorization: { status: "reversed" }, open: 0 }, "after_reversal"],
  ["an expired one", { authorization: { status: "expired" }, open: 0 }, "after_expiry"],
  ["one whose deadline has passed while it holds funds", { expired: true }, "after_expiry"],
  [
    "one whose deadline has passed and that holds one cent",
    { expired: true, open: 1 },
    "after_expiry",
  ],
  [
    "one whose deadline has passed after it was captured",
    { expired: true, open: 0 },
    "over_authorization",
  ],
  [
    "more than is held of what the network approved in our place",
    { authorization: network, amount: 501 },
    "stand_in",
  ],
  [
    "what is held of what the network approved in our place",
    { authorization: network },
    "authorized",
  ],
  [
    "more than is held of what we approved",
    { authorization: { status: "authorized", approvedBy: null }, amount: 501 },
    "over_authorization",
  ],
  ["more than is held, on a closed card", { status: "closed", amount: 501 }, "after_close"],
  ["more than is held, on a frozen card", { status: "frozen", amount: 501 }, "over_authorization"],
  ["what is held, on a closed card", { status: "closed" }, "authorized"],
];

test.each(CASES)("%s", (_posted, posting, as) => {
  expect(findPostedAs({ ...usual, ...posting })).toBe(as);
});

/** What also applies, and is tried later. */
const ALL: Partial<Posting> = { amount: 501, expired: true, status: "closed" };

test.each([
  ["without_authorization", { authorization: null }],
  ["before_authorization", { authorization: "awaited" }],
  ["after_decline", { authorization: { ...network, status: "declined" } }],
  ["after_reversal", { authorization: { ...network, status: "reversed" } }],
  ["after_expiry", { authorization: network }],
  ["stand_in", { authorization: network, expired: false }],
  ["after_close", { expired: false }],
] satisfies [PostedAs, Partial<Posting>][])("%s comes before what also applies", (as, posting) => {
  expect(findPostedAs({ ...usual, ...ALL, ...posting })).toBe(as);
});
