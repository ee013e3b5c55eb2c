/** The records that the examples are about. They belong together: one integrator, one card, and its history. */

/** A test replaces these ids with those of real records. */
export const IDS = {
  integrator: "01a1fd1b-371b-7001-a8df-e95b6c6c16dc",
  apiKey: "01a1fd1b-371b-7002-8f6e-4a5a4f0f3c11",
  float: "01a1fd1b-371b-7004-b5c0-13a2f0a4c1d7",
  user: "01a1fd1b-3788-7000-9f0e-2f6c1f1f7d10",
  card: "01a1fd1b-37aa-7003-9d29-7b1f3d4a8a52",
  transaction: "01a1fd1b-3f2c-7001-8a4e-0d8b6c7e9f21",
  note: "01a1fd1b-3f2c-7003-9b5f-1c3e5a7b9d0f",
  authorization: "01a1fd1b-4a10-7002-9c3d-5e7f8a9b0c1d",
  transfer: "01a1fd1b-3f2c-7002-8c6e-7b2d4f6a8c0e",
  delivery: "01a1fd1b-7e1f-7000-8432-97dd18e07d33",
  endpoint: "01a1fd1b-6a00-7001-8d4e-6b7c8d9eafb0",
  staff: "01a1fd1b-5c00-7001-8b2a-3c4d5e6f7a8b",
  session: "01a1fd1b-5c00-7002-8b2a-3c4d5e6f7a8c",
  invitation: "01a1fd1b-5d00-7001-8b2a-4d5e6f7a8b9c",
  approval: "01a1fd1b-8000-7001-8b2a-7a8b9cadbecf",
  bulkJob: "01a1fd1b-8000-7001-8b2a-6f7a8b9cadbe",
  entry: "01a1fd1b-5e00-7001-8b2a-5e6f7a8b9cad",
  view: "01a1fd1b-5f00-7001-8b2a-5f6f7a8b9cad",
} as const;

export const REQUEST_ID = "b0c0b5b5-3a53-4bd0-9c5c-7a6a3b8f7a11";

export const CREATED_AT = "2026-11-21T07:56:22.186Z";

export const UPDATED_AT = "2026-11-21T07:56:40.105Z";

export const KEY_ACTOR = { type: "api_key", id: IDS.apiKey, name: "First key" };

export const STAFF_ACTOR = { type: "staff", id: IDS.staff, name: "Ada Winter" };

const MERCHANT = { name: "Blue Bottle", mcc: "5814", city: "Oakland", country: "US" };

/** A settled purchase. */
export const PURCHASE = {
  id: IDS.transaction,
  card_id: IDS.card,
  type: "deduct",
  status: "settled",
  amount: 450,
  requested_amount: null,
  currency: "USD",
  conversion_rate: 1,
  card_balance_before: 2_000,
  card_balance_after: 1_550,
  narrative: "BLUE BOTTLE*OAK",
  merchant: MERCHANT,
  as_received: null,
  merchant_amount: null,
  merchant_currency: null,
  authorized_as: null,
  decline_reason: null,
  decline_explanation: null,
  authorization_id: null,
  approved_by: null,
  overruled_decline: null,
  increment_of: null,
  posted_as: "authorized",
  covered: null,
  cover_of: null,
  refund_of: null,
  refunded: 0,
  refund_exceeds: null,
  takes_back: null,
  taken_back: 0,
  hold: null,
  actor: KEY_ACTOR,
  created_at: UPDATED_AT,
  occurred_at: null,
  settled_at: UPDATED_AT,
};

export const CREDIT = {
  ...PURCHASE,
  type: "credit",
  posted_as: null,
  amount: 2_000,
  card_balance_before: 0,
  card_balance_after: 2_000,
  narrative: null,
  merchant: null,
};

/** An authorization that has been captured in part. */
export const CAPTURED = {
  ...PURCHASE,
  id: IDS.authorization,
  amount: 100,
  card_balance_after: 1_900,
  hold: {
    amount: 450,
    captured: 100,
    released: 0,
    remaining: 350,
    expires_at: "2026-11-28T07:56:40.105Z",
  },
};

export const REVERSED = {
  ...CAPTURED,
  status: "reversed",
  posted_as: null,
  amount: 450,
  card_balance_after: 2_000,
  settled_at: null,
  hold: { ...CAPTURED.hold, captured: 0, released: 450, remaining: 0 },
};

export const REFUND = {
  ...PURCHASE,
  type: "deduct-reversal",
  posted_as: null,
  refund_exceeds: false,
  amount: 200,
  card_balance_before: 1_550,
  card_balance_after: 1_750,
  refund_of: IDS.transaction,
};

export const NETWORK_PURCHASE = { narrative: "BLUE BOTTLE*OAK", merchant: MERCHANT };
