import { expect } from "vitest";

/** What clients written only from the published description read, member by member. */

export const UUID = expect.stringMatching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u);
export const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u);

/** A card of this integrator, empty and active unless said. */
export function aCard(integratorId: string, members: Record<string, unknown> = {}) {
  return {
    id: UUID,
    business_id: integratorId,
    user_id: UUID,
    card_name: "Lin Osei",
    card_number: expect.stringMatching(/^222300\*{6}\d{4}$/u),
    last4: expect.stringMatching(/^\d{4}$/u),
    card_type: "virtual",
    currency: "USD",
    cvv2: null,
    design_type: "midnight",
    expiry: TIME,
    valid: expect.stringMatching(/^(?:0[1-9]|1[0-2])\/\d\d$/u),
    single_use: false,
    provider: "sandbox",
    status: "active",
    status_version: expect.any(Number),
    freeze: null,
    freezes: [],
    balance: 0,
    held: 0,
    available: 0,
    cover_outstanding: 0,
    spending_controls: null,
    spending_controls_source: "none",
    metadata: {},
    replaces: null,
    replaced_by: null,
    created_at: TIME,
    updated_at: TIME,
    ...members,
  };
}

/** A settled transaction of this card, made with an API key. */
export function aTransaction(cardId: string, members: Record<string, unknown>) {
  const { type, status = "settled" } = members;
  return {
    id: UUID,
    card_id: cardId,
    status,
    requested_amount: null,
    currency: "USD",
    conversion_rate: 1,
    narrative: null,
    merchant: null,
    as_received: null,
    merchant_amount: null,
    merchant_currency: null,
    authorized_as: null,
    decline_reason: null,
    decline_explanation: null,
    approved_by: null,
    overruled_decline: null,
    authorization_id: null,
    increment_of: null,
    posted_as: type === "deduct" && status === "settled" ? "authorized" : null,
    covered: null,
    cover_of: null,
    refund_of: null,
    refunded: 0,
    refund_exceeds: type === "deduct-reversal" ? false : null,
    takes_back: null,
    taken_back: 0,
    hold: null,
    actor: { type: "api_key", id: UUID, name: expect.any(String) },
    created_at: TIME,
    occurred_at: null,
    settled_at: TIME,
    ...members,
  };
}

/** The account that fixtures register. */
export function anAccount(integratorId: string, members: Record<string, unknown> = {}) {
  return {
    id: integratorId,
    business_name: "Northwind",
    business_address: "1 Harbour Street",
    domain: "northwind.example",
    webhook_url: null,
    email: expect.stringContaining("@example.com"),
    first_name: "Ada",
    last_name: "Winter",
    contact_number: "+15550100",
    country: "US",
    registration_number: "12345",
    program_name: null,
    card_color: null,
    time_zone: "UTC",
    float_currencies: ["USD"],
    environment: "sandbox",
    api_version: "0.5.0",
    low_balance_threshold: null,
    idempotency_required: false,
    freeze_reason_required: false,
    approval: null,
    auto_freeze: null,
    idle_freeze_days: null,
    log_bodies: true,
    spending_controls: null,
    suspended_at: null,
    stopped_at: null,
    created_at: TIME,
    updated_at: TIME,
    ...members,
  };
}
