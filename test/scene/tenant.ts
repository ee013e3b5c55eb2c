import { eq } from "drizzle-orm";
import { flushApiLog } from "#lib/api/edge/api-log.ts";
import type { Operation } from "#lib/operations/operation.ts";
import { sendTest } from "#lib/webhooks/endpoints.ts";
import { newId } from "#lib/base/ids.ts";
import { IDS } from "#lib/api/contract/samples.ts";
import { updateAccount } from "#lib/integrators/integrators.ts";
import { apiLog } from "#db/schema/events.ts";
import { call } from "./api-client.ts";
import type { ApiCall, ApiReply } from "./api-client.ts";
import { testDatabase } from "#test/database/database.ts";
import { makeUnique } from "./example-scene.ts";
import { newCard, newIntegrator, newScopedKey, write } from "./fixtures.ts";
import type { TestIntegrator } from "./fixtures.ts";
import { newApproval } from "./approvals.ts";
import { lastSessionOf, newStaff } from "./staff.ts";
import type { TestStaff } from "./staff.ts";

/** The kind of record that a path's id names, by the error code for an unknown id. */
const KINDS = {
  card_not_found: "card",
  user_not_found: "user",
  integrator_not_found: "integrator",
  transaction_not_found: "transaction",
  authorization_not_found: "authorization",
  staff_not_found: "staff",
  session_not_found: "session",
  link_not_found: "invitation",
  api_key_not_found: "apiKey",
  delivery_not_found: "delivery",
  endpoint_not_found: "endpoint",
  event_not_found: "event",
  request_not_found: "request",
  approval_not_found: "approval",
  bulk_job_not_found: "bulkJob",
  view_not_found: "view",
} as const;

/** An integrator with an owner, and with one of everything that has an id. */
export interface Tenant extends TestIntegrator {
  owner: TestStaff;
  ids: Record<(typeof KINDS)[keyof typeof KINDS], string>;
}

export async function newTenant(): Promise<Tenant> {
  const integrator = await newIntegrator(100_000);
  const card = await newCard(integrator, 100);
  const owner = await newStaff(integrator.id, "owner");
  await write(integrator, (ctx) =>
    updateAccount(ctx, { webhookUrl: "https://hooks.example.com/" }),
  );
  const played = await call(`POST /cards/${card.id}/mock-transaction`, {
    key: integrator.apiKey,
    body: { type: "authorize", amount: 10 },
  });
  const listed = await call("GET /transactions?type=credit", { key: integrator.apiKey });
  const [credit] = (listed.json as { data: { id: string }[] }).data;
  const invited = await call("POST /staff/invitations", {
    address: newId(),
    headers: owner.headers,
    body: { email: `${newId()}@example.com`, role: "viewer" },
  });
  const checked = await call("POST /bulk", {
    key: integrator.apiKey,
    body: { operation: "freeze", check: true, items: [{ card_id: card.id }] },
  });
  const endpoint = await call("POST /webhook-endpoints", {
    key: integrator.apiKey,
    body: { webhook_url: "https://ledger.example.com/", events: ["card.closed"] },
  });
  const saved = await call("POST /views", {
    headers: owner.headers,
    body: { list: "cards", name: "Active", query: "status=active", shared: true },
  });
  const delivery = await write(integrator, (ctx) => sendTest(ctx));
  return {
    ...integrator,
    owner,
    ids: {
      card: card.id,
      user: card.cardholderId,
      integrator: integrator.id,
      transaction: credit?.id ?? "",
      authorization: idIn(played),
      staff: (await newStaff(integrator.id, "operator")).id,
      session: await lastSessionOf(owner),
      invitation: idIn(invited),
      apiKey: (await newScopedKey(integrator.id, ["cards:read"])).id,
      delivery,
      endpoint: idIn(endpoint),
      // A delivery to the account's webhook_url has its event's id.
      event: delivery,
      request: await findLogged(played),
      approval: await newApproval(integrator, { cardId: card.id }),
      bulkJob: idIn(checked),
      view: idIn(saved),
    },
  };
}

/** The row of the API log for a request. */
async function findLogged({ headers }: ApiReply): Promise<string> {
  await flushApiLog();
  const [row] = await testDatabase()
    .db.select({ id: apiLog.id })
    .from(apiLog)
    .where(eq(apiLog.requestId, headers.get("x-request-id") ?? ""));
  return row?.id ?? "";
}

function idIn({ json }: ApiReply): string {
  return (json as { data: { id: string } }).data.id;
}

/** Which of a tenant's ids an operation's path takes. */
export function kindOfId({ id, notFound }: Operation): keyof Tenant["ids"] {
  const kind = Object.entries(KINDS).find(([code]) => code === notFound)?.[1];
  if (!kind) {
    throw new Error(`The path of ${id} takes no id that a tenant has.`);
  }
  return kind;
}

/** The credential that an operation takes: a person's where it is for people alone. */
export function credentialOf(
  { staffOnly, scope, kind }: Operation,
  by: { apiKey: string; owner: TestStaff; processorKey: string },
): Pick<ApiCall, "key" | "headers"> {
  if (kind === "public") {
    return {};
  }
  if (staffOnly) {
    return { headers: by.owner.headers };
  }
  return { key: scope === "processor" ? by.processorKey : by.apiKey };
}

/** A request line for `call`. */
export function toLine({ method, path }: Operation, id: string): string {
  return `${method} ${path.replace("{id}", id)}`;
}

/** The query of an operation's first example if the operation needs one. */
export function sampleQuery({
  query,
  examples: [first],
}: Operation): Readonly<Record<string, string>> {
  return query.safeParse({}).success ? {} : (first.query ?? {});
}

/** The body of an operation's first example, with these ids in place of the samples'. */
export function sampleBody({ examples: [{ body = {} }] }: Operation, ids: Tenant["ids"]): object {
  const own: Readonly<Partial<Record<string, string>>> = ids;
  const named = Object.entries(IDS).reduce(
    (text, [name, sample]) => text.replaceAll(sample, own[name] ?? sample),
    JSON.stringify(body),
  );
  return JSON.parse(makeUnique(named));
}
