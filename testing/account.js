// @ts-check
import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { clientOf } from "./client.js";
import { createKey } from "./key.js";
import { lastMail } from "./mail.js";
import { receiveWebhooks } from "./receiver.js";

/**
 * @import { AccountOptions, Card, CardOptions, Duration, Floatdeck, TestAccount } from "./index.d.ts"
 */

const PASSWORD = "correct horse battery";
const FLOAT = 1_000_000;
const REGISTER_MS = 30_000;

/**
 * Accounts of one server, and how to close what they opened in this process.
 * @param {string} baseUrl
 */
export function accounts(baseUrl) {
  /** @type {(() => Promise<void>)[]} */
  const closers = [];
  return {
    /** @param {AccountOptions} [options] */
    newAccount: (options = {}) => newAccount({ baseUrl, closers }, options),
    close: async () => {
      await Promise.all(closers.splice(0).map((close) => close()));
    },
  };
}

/**
 * @param {{ baseUrl: string, closers: (() => Promise<void>)[] }} place
 * @param {AccountOptions} options
 * @returns {Promise<TestAccount>}
 */
async function newAccount({ baseUrl, closers }, { float = FLOAT, currency = "USD" }) {
  const email = `owner-${randomUUID()}@test.example`;
  const { id, api_key: apiKey } = await register(baseUrl, { email, currency });
  const client = await clientOf(baseUrl, apiKey);
  if (float > 0) {
    await client.float.topUp({ amount: float });
  }
  const owner = { email, password: PASSWORD };
  return {
    id,
    ...owner,
    apiKey,
    client,
    newCard: (options = {}) => newCard({ client, accountId: id, currency }, options),
    newKey: (options) => createKey(baseUrl, owner, options),
    lastMail: (to) => lastMail(baseUrl, owner, to),
    advanceClock: async (by) => {
      await client.clock.advance(by instanceof Date ? { to: by.toISOString() } : toBody(by));
    },
    receiveWebhooks: async () => {
      const receiver = await receiveWebhooks(client);
      closers.push(() => receiver.close());
      return receiver;
    },
  };
}

/**
 * @param {string} baseUrl
 * @param {{ email: string, currency: string }} owner
 * @returns {Promise<{ id: string, api_key: string }>}
 */
async function register(baseUrl, { email, currency }) {
  const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
  const deadline = performance.now() + REGISTER_MS;
  for (;;) {
    const response = await fetch(`${baseUrl}/api/card-integrators/register-integrator`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-forwarded-for": address },
      body: JSON.stringify({
        business_name: "Test",
        country: "US",
        email,
        first_name: "Ada",
        last_name: "Winter",
        password: PASSWORD,
        float_currencies: [currency],
      }),
    });
    const body = await response.json();
    if (response.ok) {
      return body.data;
    }
    // A server hashes few passwords at a time, and many tests may begin at once.
    if (body.code !== "overloaded" || performance.now() > deadline) {
      throw new Error(`The account was refused with ${response.status}: ${body.detail}`);
    }
    await sleep(Number(response.headers.get("retry-after") ?? 1) * 1_000);
  }
}

/**
 * @param {{ client: Floatdeck, accountId: string, currency: string }} account
 * @param {CardOptions} options
 * @returns {Promise<Card>}
 */
async function newCard(
  { client, accountId, currency },
  { balance = 0, singleUse = false, validityDays = 365 },
) {
  const { data: user } = await client.users.register(accountId, {
    address: { city: "Boston", country: "US", line1: "1 Test Street" },
    email: `holder-${randomUUID()}@test.example`,
    first_name: "Sam",
    last_name: "Holder",
    id_number: "000000000",
    id_type: "passport",
    phone_number: "+16175550100",
  });
  const { data: card } = await client.cards.createVirtual({
    user_id: user.id,
    currency,
    design_type: "PLATINUM",
    single_use: singleUse,
    source: "integrator",
    validity: validityDays,
  });
  return balance > 0 ? client.cards.credit({ card_id: card.id, amount: balance }) : card;
}

/** @param {Duration} by */
function toBody({ days = 0, hours = 0, minutes = 0, seconds = 0 }) {
  return { by_seconds: ((days * 24 + hours) * 60 + minutes) * 60 + seconds };
}
