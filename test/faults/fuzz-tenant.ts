import { TOTP, URI } from "otpauth";
import { PASSWORD, toRegistration } from "#test/scene/people.ts";
import { joinSecond, signIn } from "./session.ts";
import type { Session } from "./session.ts";
import type { DocumentedOperation } from "./fuzz-document.ts";
import type { Random } from "./fuzz-random.ts";
import type { Usual } from "./fuzz-values.ts";
import type { Rig } from "./rig.ts";

/** Ids from earlier responses that requests can use. */
export const KINDS = [
  "card",
  "user",
  "transaction",
  "authorization",
  "delivery",
  "endpoint",
  "bulkJob",
  "event",
  "request",
  "key",
  "staff",
  "session",
  "invitation",
  "view",
  "approval",
  "integrator",
  "cursor",
  "token",
] as const;

export type Kind = (typeof KINDS)[number];

/** How many ids of each kind are remembered: the newest. */
const KNOWN_MAX = 200;
/** The newest are used most often, so that a card gets money, purchases, and refunds. */
const NEWEST = 2;
const NEWEST_SHARE = 0.8;

/** How many accounts require a second person for every move. */
const APPROVING_SHARE = 0.3;

/** An integrator of the fuzzer: its key, its owner's session, and the ids it has received so far. */
export interface Tenant {
  apiKey: string;
  /** What the owner's browser sends from the dashboard. */
  session: Session;
  /** That of another owner, where moves need a second person. */
  second: Session | null;
  /** The owner's, while it is being set up or after that. */
  authenticator: TOTP | null;
  known: Readonly<Record<Kind, string[]>>;
}

/** Registers an integrator and signs its owner in, as they would. */
export async function newTenant(
  { baseUrl, database }: Pick<Rig, "baseUrl" | "database">,
  random: Random,
): Promise<Tenant> {
  const email = `${random.uuid()}@fuzz.example`;
  const forwarded = { "X-Forwarded-For": random.address() };
  const registered = await fetch(`${baseUrl}/card-integrators/register-integrator`, {
    method: "POST",
    headers: { ...forwarded, "Content-Type": "application/json" },
    body: JSON.stringify(toRegistration(email)),
  });
  if (!registered.ok) {
    throw new Error(`Nobody can register: ${await registered.text()}`);
  }
  const { data }: { data: { id: string; api_key: string } } = await registered.json();
  const account = { baseUrl, ownerUrl: database.ownerUrl, integratorId: data.id };
  const owner = { email, forwarded };
  const { session } = await signIn(account, owner);
  // Another session, to be revoked.
  const { sessionId } = await signIn(account, owner);
  const tenant: Tenant = {
    apiKey: data.api_key,
    session,
    second: null,
    authenticator: null,
    known: newKnown(),
  };
  tenant.known.integrator.push(data.id);
  tenant.known.session.push(sessionId);
  if (!random.chance(APPROVING_SHARE)) {
    return tenant;
  }
  const second = `${random.uuid()}@fuzz.example`;
  return { ...tenant, second: await joinSecond(account, session, { email: second, forwarded }) };
}

function newKnown(): Tenant["known"] {
  return {
    card: [],
    user: [],
    transaction: [],
    authorization: [],
    delivery: [],
    endpoint: [],
    bulkJob: [],
    event: [],
    request: [],
    key: [],
    staff: [],
    session: [],
    invitation: [],
    view: [],
    approval: [],
    integrator: [],
    cursor: [],
    token: [],
  };
}

/** What kind of id a path takes. */
export function toKind({ path }: DocumentedOperation): Kind {
  return PATH_KINDS.find(([prefix]) => path.startsWith(prefix))?.[1] ?? "card";
}

const PATH_KINDS: readonly (readonly [string, Kind])[] = [
  ["/cards/transaction/", "transaction"],
  ["/transactions/", "transaction"],
  ["/card-integrators/card-users/", "user"],
  ["/card-integrators/", "integrator"],
  ["/processor/authorizations/", "authorization"],
  ["/webhook-deliveries/", "delivery"],
  ["/bulk/", "bulkJob"],
  ["/exports/bulk-results/", "bulkJob"],
  ["/webhook-endpoints/", "endpoint"],
  ["/events/", "event"],
  ["/api-log/", "request"],
  ["/api-keys/", "key"],
  ["/staff/invitations/", "invitation"],
  ["/views/", "view"],
  ["/approvals/", "approval"],
  ["/staff/me/sessions/", "session"],
  ["/staff/", "staff"],
];

/**
 * Remembers the ids in a response, so that later requests can use them.
 * @returns the ids of the resources in it.
 */
export function learn(tenant: Tenant, { path }: DocumentedOperation, answer: unknown): string[] {
  const found = [...toObjects(answer)].flatMap((each) => toKnown(path, each));
  for (const [kind, value] of found) {
    const known = tenant.known[kind];
    if (!known.includes(value)) {
      known.push(value);
      known.splice(0, known.length - KNOWN_MAX);
    }
  }
  learnAuthenticator(tenant, answer);
  return found.filter(([kind]) => kind !== "cursor").map(([, value]) => value);
}

/** The response, and each object in its data. */
function* toObjects(answer: unknown): Generator<object> {
  if (Array.isArray(answer)) {
    for (const each of answer) {
      yield* toObjects(each);
    }
  } else if (answer && typeof answer === "object") {
    yield answer;
    yield* "data" in answer ? toObjects(answer.data) : [];
    yield* "approval" in answer ? toObjects(answer.approval) : [];
  }
}

function toKnown(path: string, answered: object): (readonly [Kind, string])[] {
  const { id, next_cursor: cursor, link } = toTexts(answered);
  const kind = toResourceKind(path, answered);
  const found: readonly (readonly [Kind | undefined, string | undefined])[] = [
    [kind, id],
    ["cursor", cursor],
    ["token", link && new URL(link).hash.slice(1)],
  ];
  return found.flatMap(([what, value]) => (what && value ? [[what, value] as const] : []));
}

function toTexts(answered: object): Partial<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(answered).filter(([, value]) => typeof value === "string"),
  );
}

/** The kind of a resource, by a member that only this kind has, or else by the path that returned it. */
function toResourceKind(path: string, answered: object): Kind | undefined {
  return (
    MEMBER_KINDS.find(([member]) => member in answered)?.[1] ??
    LIST_KINDS.find(([prefix]) => path.startsWith(prefix))?.[1]
  );
}

const MEMBER_KINDS: readonly (readonly [string, Kind])[] = [
  ["decision", "authorization"],
  ["card_number", "card"],
  ["card_balance_after", "transaction"],
  ["card_integrator_id", "user"],
  ["sequence", "event"],
  ["requested_by", "approval"],
];

const LIST_KINDS: readonly (readonly [string, Kind])[] = [
  ["/bulk", "bulkJob"],
  ["/webhook-deliveries", "delivery"],
  ["/webhooks/test", "delivery"],
  ["/webhook-endpoints", "endpoint"],
  ["/api-log", "request"],
  ["/api-keys", "key"],
  ["/staff/invitations", "invitation"],
  ["/views", "view"],
  ["/staff", "staff"],
];

function learnAuthenticator(tenant: Tenant, answer: unknown): void {
  if (answer && typeof answer === "object" && "uri" in answer) {
    const parsed = URI.parse(String(answer.uri));
    tenant.authenticator = parsed instanceof TOTP ? parsed : null;
  }
}

/** Typical values of members by name, for the tenant whose request it is. */
export function toUsual(tenant: () => Tenant, random: Random): Usual {
  const known = (kind: Kind) => {
    const { [kind]: all } = tenant().known;
    const values = random.chance(NEWEST_SHARE) ? all.slice(-NEWEST) : all;
    return values.length > 0 ? random.pick(values) : random.uuid();
  };
  const members: Readonly<Record<string, () => unknown>> = {
    card_id: () => known("card"),
    user_id: () => known("user"),
    ids: () => known("card"),
    // The first endpoint has the integrator's id.
    endpoint_id: () => known(random.chance(0.5) ? "endpoint" : "integrator"),
    transaction_id: () => known("transaction"),
    integrator_id: () => known("integrator"),
    card_integrator_id: () => known("integrator"),
    cursor: () => known("cursor"),
    token: () => known("token"),
    code: () => tenant().authenticator?.generate() ?? "123456",
    reference: () => random.uuid(),
    amount: () => random.pick([1, 5, 20, 1_000, 1_000_000]),
    currency: () => random.pick(["USD", "USD", "USD", "EUR"]),
    float_currencies: () => ["USD"],
    country: () => random.pick(["US", "GH", "DE"]),
    mcc: () => "5814",
    password: () => PASSWORD,
    current_password: () => PASSWORD,
    new_password: () => PASSWORD,
    webhook_url: () => (random.chance(0.2) ? null : "http://127.0.0.1:41099/hooks"),
    domain: () => "fuzz.example",
    // A long poll would take its time.
    wait: () => 0,
  };
  return (name) => (Object.hasOwn(members, name) ? members[name]?.() : undefined);
}
