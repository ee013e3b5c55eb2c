import { TOTP } from "otpauth";
import { flushApiLog } from "#lib/api/edge/api-log.ts";
import { newId } from "#lib/base/ids.ts";
import type { Need, Operation } from "#lib/operations/operation.ts";
import { IDS } from "#lib/api/contract/samples.ts";
import { hashPassword } from "#lib/staff/passwords.ts";
import { sendTest } from "#lib/webhooks/endpoints.ts";
import { keepNotification } from "#lib/webhooks/inbox-receive.ts";
import { call } from "./api-client.ts";
import type { ApiCall } from "./api-client.ts";
import { newUser } from "./cardholders.ts";
import { testDatabase } from "#test/database/database.ts";
import { newCard, newProcessorKey, newScopedKey, write } from "./fixtures.ts";
import type { TestIntegrator } from "./fixtures.ts";
import { keyOf, newApproval } from "./approvals.ts";
import { lastSessionOf, newStaff } from "./staff.ts";
import type { TestStaff } from "./staff.ts";

/** The account that examples are sent for, with funds and an address for its webhooks. */
export interface ExampleAccount extends TestIntegrator {
  owner: TestStaff;
}

/** A kind of record that requests name. */
type Kind = Exclude<keyof typeof IDS, "float" | "note" | "transfer">;

const CARD_FUNDS = 5_000;
const PASSWORD = "a long enough password";

/** The records of one example, each made when it is first named. */
export class ExampleScene {
  readonly account: ExampleAccount;
  readonly operation: Operation;
  private readonly made = new Map<Kind, Promise<string>>();

  constructor(account: ExampleAccount, operation: Operation) {
    this.account = account;
    this.operation = operation;
  }

  /** The id of the example's record of this kind. */
  idOf(kind: Kind): Promise<string> {
    const made = this.made.get(kind) ?? MAKERS[kind](this);
    this.made.set(kind, made);
    return made;
  }

  /** Replaces the ids of the samples by those of records, and values that must be unique by new ones. */
  async makeReal(text: string): Promise<string> {
    const named = KINDS.filter((kind) => text.includes(IDS[kind]));
    const ids: [string, string][] = [];
    for (const kind of named) {
      ids.push([IDS[kind], await this.idOf(kind)]);
    }
    return makeUnique(ids.reduce((real, [sample, id]) => real.replaceAll(sample, id), text));
  }

  /** Sends a request with the account's key. */
  send(line: string, body?: object) {
    return request(line, { key: this.account.apiKey, body });
  }

  /** Sends a request as the account's owner. */
  sendAsOwner(line: string, body?: object) {
    return request(line, { headers: this.account.owner.headers, body });
  }

  /** Simulates the card network on the example's card. @returns the transaction's id. */
  async simulate(body: object): Promise<string> {
    const { data } = await this.send(
      `POST /cards/${await this.idOf("card")}/mock-transaction`,
      body,
    );
    return data.id;
  }
}

const DAY_MS = 86_400_000;

/** Gives emails, references, and names of views that must be unique new values, and sets `since` to now and `until` to tomorrow. */
export function makeUnique(text: string): string {
  return text
    .replaceAll(/(?:kofi@example\.com|(?:ada|noor)@northwind\.example)/gu, `${newId()}@example.com`)
    .replaceAll("Frozen, oldest first", newId)
    .replaceAll(/"(?<kind>[a-z]+)-884\d"/gu, `"$<kind>-${newId()}"`)
    .replaceAll(/"since":"[^"]+"/gu, `"since":"${new Date().toISOString()}"`)
    .replaceAll(/"until":"[^"]+"/gu, `"until":"${new Date(Date.now() + DAY_MS).toISOString()}"`);
}

async function request(line: string, wanted: ApiCall) {
  const reply = await call(line, { ...wanted, address: newId() });
  if (reply.status >= 300) {
    throw new Error(`${line} was answered ${reply.status}: ${reply.text}`);
  }
  return Object(reply.json);
}

const MAKERS: Readonly<Record<Kind, (scene: ExampleScene) => Promise<string>>> = {
  integrator: ({ account }) => Promise.resolve(account.id),
  apiKey: async ({ account }) => (await newScopedKey(account.id, ["cards:read"])).id,
  user: async ({ account }) => (await newUser(account)).id,
  card: async ({ account }) => (await newCard(account, CARD_FUNDS)).id,
  transaction: (scene) => scene.simulate({ type: "deduct", amount: 450 }),
  // The card network captures and reverses only what it authorized itself.
  authorization: (scene) =>
    scene.operation.scope === "processor"
      ? authorize(scene)
      : scene.simulate({ type: "authorize", amount: 50 }),
  delivery: ({ account }) => write(account, (ctx) => sendTest(ctx)),
  // An account may have only a few of them, and other examples may have changed those that there are.
  endpoint: async (scene) => {
    const { data } = await scene.send("GET /webhook-endpoints");
    for (const { id } of data.slice(1)) {
      await scene.send(`DELETE /webhook-endpoints/${id}`);
    }
    return (await scene.send("POST /webhook-endpoints", ENDPOINT)).data.id;
  },
  staff: async ({ account }) => (await newStaff(account.id, "operator")).id,
  session: async ({ account: { owner } }) => {
    await owner.signInAgain();
    return lastSessionOf(owner);
  },
  invitation: async (scene) => (await invite(scene)).data.id,
  approval: async (scene) => {
    const { account, operation } = scene;
    // Nobody decides what they asked for, and nobody else cancels it.
    const isOwn = operation.id === "cancelApproval";
    return newApproval(account, {
      cardId: await scene.idOf("card"),
      ...(isOwn ? { by: await keyOf(account), requesterId: account.owner.id } : {}),
    });
  },
  bulkJob: async (scene) => {
    const { data } = await scene.send("POST /bulk", {
      operation: "freeze",
      items: [{ card_id: await scene.idOf("card") }],
    });
    return data.id;
  },
  view: async (scene) =>
    (await scene.sendAsOwner("POST /views", { ...VIEW, name: newId() })).data.id,
  entry: async (scene) => {
    await scene.send("PATCH /cards/credit/balance", {
      card_id: await scene.idOf("card"),
      amount: 2_000,
    });
    await flushApiLog();
    const { data } = await scene.sendAsOwner("GET /api-log?operation=creditCard");
    return data[0].id;
  },
};

const KINDS = Object.keys(MAKERS).filter((name): name is Kind => name in MAKERS);

async function authorize(scene: ExampleScene): Promise<string> {
  const key = await newProcessorKey();
  const cardId = await scene.idOf("card");
  const body = { reference: newId(), card_id: cardId, amount: 50, currency: "USD" };
  return (await request("POST /processor/authorizations", { key, body })).id;
}

function invite(scene: ExampleScene) {
  return scene.sendAsOwner("POST /staff/invitations", {
    email: `${newId()}@example.com`,
    role: "viewer",
  });
}

/** Parts of the request that only the server could know. They replace those of the example. */
interface Met {
  headers?: Record<string, string>;
  body?: Record<string, unknown>;
}

/** Brings about what an example needs. */
export function meetNeed(need: Need, scene: ExampleScene): Promise<Met> {
  return NEEDS[need](scene);
}

const NEEDS: Readonly<Record<Need, (scene: ExampleScene) => Promise<Met>>> = {
  "archived cardholder": async (scene) => {
    await scene.send(`POST /card-integrators/card-users/${await scene.idOf("user")}/archive`);
    return {};
  },
  "authenticator app": beginSecondFactor,
  "frozen card": async (scene) => {
    await scene.send(`PATCH /cards/${await scene.idOf("card")}/freeze`);
    return {};
  },
  invitation: async (scene) => toToken(await invite(scene)),
  "stored response": async ({ account: { apiKey: key } }) => {
    const headers = { "Idempotency-Key": "top-up-4711" };
    await request("PATCH /card-integrators/top-up-float", { key, headers, body: { amount: 1 } });
    return {};
  },
  "logged request": async (scene) => {
    await scene.send(`PATCH /cards/${await scene.idOf("card")}/freeze`);
    await flushApiLog();
    return {};
  },
  "notification in the inbox": async (scene) => {
    await scene.send("POST /sandbox/inbox");
    await keepNotification(
      testDatabase().db,
      { integratorId: scene.account.id },
      { headers: INBOX_HEADERS, body: Buffer.from('{"event":"webhook.test"}') },
    );
    return {};
  },
  password: async ({ account }) => {
    const { headers } = await newStaff(account.id, "viewer", await hashPassword(PASSWORD, "test"));
    return { headers };
  },
  "password reset": async (scene) =>
    toToken(await scene.sendAsOwner(`POST /staff/${await scene.idOf("staff")}/password-reset`)),
  purchase: async (scene) => {
    await scene.idOf("transaction");
    return {};
  },
  "second factor": async (scene) => {
    const { headers, body } = await beginSecondFactor(scene);
    await request("POST /staff/me/second-factor/enable", { headers, body });
    return { headers };
  },
};

/** Somebody who is setting up a second factor, and the code that their app shows. */
async function beginSecondFactor({ account }: ExampleScene): Promise<Required<Met>> {
  const { headers } = await newStaff(account.id, "viewer");
  const { secret } = await request("POST /staff/me/second-factor", { headers });
  return { headers, body: { code: new TOTP({ secret }).generate() } };
}

function toToken({ link }: { link: string }): Met {
  return { body: { token: new URL(link).hash.slice(1) } };
}

const ENDPOINT = {
  webhook_url: "https://ledger.northwind.example/cards",
  events: ["card.credited", "card.debited"],
  headers: { Authorization: "Bearer 5ab1e" },
};

const VIEW = { list: "cards", query: "status=frozen&order=oldest", shared: false };

const INBOX_HEADERS = {
  "content-type": "application/json",
  "user-agent": "Floatdeck-Webhooks/1.0",
  "webhook-id": IDS.delivery,
  "webhook-timestamp": "1795247800",
  "webhook-signature": "v1,AAAA",
};
