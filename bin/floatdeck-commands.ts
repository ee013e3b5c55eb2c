import { randomBytes, randomUUID } from "node:crypto";
import type { ParseArgsConfig } from "node:util";
import { registerIntegrator as registration } from "#lib/api/contract/account.ts";
import { toRegistration } from "#lib/api/edge/registration.ts";
import { toLinkUrl } from "#lib/api/edge/link-url.ts";
import { validate } from "#lib/api/edge/validate.ts";
import type { RequestOrigin } from "#lib/base/context.ts";
import { registerIntegrator } from "#lib/integrators/integrators.ts";
import { checkBooks } from "#lib/ledger/monitor.ts";
import { formatMoney } from "#lib/base/money.ts";
import {
  createProcessorKey,
  listIntegrators,
  listProcessorKeys,
  OPERATOR_LIST_MAX,
  resumeIntegrator,
  revokeProcessorKey,
  suspendIntegrator,
  vouchForIntegrator,
} from "#lib/operator/operator.ts";
import { hashPassword } from "#lib/staff/passwords.ts";
import { rescuePassword } from "#lib/staff/staff-links.ts";
import { inTransaction } from "#db/transaction.ts";
import type { Installation } from "./installation.ts";

/** What a command was given, by the names of its options; `id` is the argument without one. */
export interface Given {
  id: string;
  options: Readonly<Record<string, string>>;
}

/** What a command says: the same for people and for programs, and whether all is well. */
export interface Said {
  text: string;
  json: unknown;
  ok?: boolean;
}

/** One command, declared once: its help and its parsing come from here. */
export interface Command {
  words: readonly string[];
  summary: string;
  /** Whether it takes an id. */
  takesId?: boolean;
  options: Readonly<Record<string, Option>>;
  run: (installation: Installation, given: Given) => Promise<Said>;
}

interface Option {
  about: string;
  /** What it is when left out; undefined: it is required. */
  fallback?: string;
}

/** What `node:util` is told of a command's options; each has a value. */
export function toParseOptions({ options }: Command): NonNullable<ParseArgsConfig["options"]> {
  return Object.fromEntries(Object.keys(options).map((name) => [name, { type: "string" }]));
}

const REGISTRATION_OPTIONS = {
  "business-name": { about: "what the integrator is called" },
  "business-address": { about: "its address" },
  "contact-number": { about: "its telephone number" },
  country: { about: "its country" },
  domain: { about: "its host name or http(s) URL" },
  email: { about: "its owner's email address, for signing in" },
  "first-name": { about: "its owner's first name" },
  "last-name": { about: "its owner's last name" },
  "registration-number": { about: "its number in the register of companies" },
  currency: { about: "the currency of its float and its cards, ISO 4217", fallback: "USD" },
  "webhook-url": { about: "where its notifications go", fallback: "" },
} satisfies Command["options"];

/** Commands are no requests of anybody; each is told from the others in audit rows and events. */
function newOrigin(): RequestOrigin {
  return { id: randomUUID(), address: null, agent: "floatdeck" };
}

async function createIntegrator({ db, settings }: Installation, given: Given): Promise<Said> {
  const { currency, "webhook-url": webhookUrl, ...described } = given.options;
  const password = randomBytes(15).toString("base64url");
  if (!registration.body) {
    throw new Error("The contract says nothing of what a registration holds.");
  }
  const body = validate(registration.body, {
    ...Object.fromEntries(
      Object.entries(described).map(([name, value]) => [name.replaceAll("-", "_"), value]),
    ),
    webhook_url: webhookUrl || null,
    float_currencies: [currency],
    password,
  });
  const wanted = toRegistration(body, await hashPassword(password));
  const { account, apiKey } = await inTransaction(db, (tx) =>
    registerIntegrator(
      { tx, request: newOrigin(), environment: settings.environment, vouched: true },
      wanted,
    ),
  );
  return {
    text: [
      `Integrator ${account.id} (${account.businessName}) was created in ${settings.environment}.`,
      `  API key    ${apiKey}`,
      `  Sign-in    ${account.email}`,
      `  Password   ${password}`,
      "Neither the key nor the password can be shown again.",
    ].join("\n"),
    json: { id: account.id, api_key: apiKey, email: account.email, password },
  };
}

async function showIntegrators({ db }: Installation, { options }: Given): Promise<Said> {
  const rows = await listIntegrators(db, options["after"] || undefined);
  const lines = rows.map((row) =>
    [
      row.id,
      formatMoney(row.floatBalance, row.currency).padStart(16),
      row.suspendedAt ? "suspended" : "active",
      `${row.businessName} <${row.email}>`,
      ...(row.vouched ? [] : ["not vouched for"]),
      ...(row.booksUnbalancedAt ? ["books do not balance"] : []),
    ].join("  "),
  );
  const more = rows.length === OPERATOR_LIST_MAX ? [`More: --after ${rows.at(-1)?.id}`] : [];
  return {
    text: [...lines, ...more].join("\n") || "There is no integrator yet.",
    json: rows.map((row) => ({
      id: row.id,
      business_name: row.businessName,
      email: row.email,
      currency: row.currency,
      float_balance: row.floatBalance,
      vouched: row.vouched,
      suspended_at: row.suspendedAt,
      books_unbalanced_at: row.booksUnbalancedAt,
      created_at: row.createdAt,
    })),
  };
}

async function suspend({ db }: Installation, { id }: Given): Promise<Said> {
  const at = await inTransaction(db, (tx) => suspendIntegrator(tx, newOrigin(), id));
  return {
    text: `Integrator ${id} is suspended since ${at?.toISOString()}: its cards decline everything new.`,
    json: { id, suspended_at: at },
  };
}

async function resume({ db }: Installation, { id }: Given): Promise<Said> {
  const at = await inTransaction(db, (tx) => resumeIntegrator(tx, newOrigin(), id));
  return { text: `Integrator ${id} is active.`, json: { id, suspended_at: at } };
}

async function vouch({ db }: Installation, { id }: Given): Promise<Said> {
  const emails = await inTransaction(db, (tx) => vouchForIntegrator(tx, newOrigin(), id));
  const text = `Integrator ${id} is vouched for. Your identity provider may sign in: ${emails.join(", ")}.`;
  return { text, json: { id, vouched: true, emails } };
}

async function createKey({ db, settings }: Installation, { options }: Given): Promise<Said> {
  const { environment } = settings;
  const made = await inTransaction(db, (tx) =>
    createProcessorKey(tx, { environment, name: options["name"] ?? "" }),
  );
  return {
    text: [
      `Processor key ${made.id} was created in ${environment}.`,
      `  Key   ${made.key}`,
      "It cannot be shown again.",
    ].join("\n"),
    json: made,
  };
}

async function showKeys({ db }: Installation): Promise<Said> {
  const rows = await listProcessorKeys(db);
  const lines = rows.map((row) =>
    [row.id, `${row.prefix}…${row.suffix}`, row.revokedAt ? "revoked" : "active ", row.name].join(
      "  ",
    ),
  );
  return { text: lines.join("\n") || "There is no processor key yet.", json: rows };
}

async function revokeKey({ db }: Installation, { id }: Given): Promise<Said> {
  if (!(await inTransaction(db, (tx) => revokeProcessorKey(tx, id)))) {
    throw new Error(`There is no processor key ${id}.`);
  }
  return { text: `Processor key ${id} is revoked.`, json: { id, revoked: true } };
}

async function resetPassword({ db, settings }: Installation, { options }: Given): Promise<Said> {
  const { link, token } = await inTransaction(db, (tx) =>
    rescuePassword(
      { tx, request: newOrigin() },
      { email: options["email"] ?? "", integrator: options["integrator"]?.toLowerCase() || null },
    ),
  );
  const url = toLinkUrl(link.kind, token, settings.publicUrl);
  return {
    text: [
      `By this link ${link.email} chooses a new password, once, within a day:`,
      `  ${url}`,
      "The old password works until it is used. It cannot be shown again.",
    ].join("\n"),
    json: { email: link.email, link: url, expires_at: link.expiresAt },
  };
}

async function verify({ db }: Installation): Promise<Said> {
  const started = performance.now();
  const discrepancies = await checkBooks(db, "full");
  if (discrepancies === undefined) {
    throw new Error("The books are being checked by another process just now; try again.");
  }
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  const places = discrepancies.map(
    (discrepancy) =>
      `${discrepancy.rule}: integrator ${discrepancy.integratorId}, ${discrepancy.about}`,
  );
  return {
    ok: discrepancies.length === 0,
    text:
      discrepancies.length === 0
        ? `The books balance (checked in ${seconds} s).`
        : [...places, `The books do not balance in ${discrepancies.length} places.`].join("\n"),
    json: { balanced: discrepancies.length === 0, discrepancies },
  };
}

export const COMMANDS: readonly Command[] = [
  {
    words: ["integrator", "create"],
    summary: "Create an integrator with its float, its owner's sign-in and its first API key",
    options: REGISTRATION_OPTIONS,
    run: createIntegrator,
  },
  {
    words: ["integrator", "list"],
    summary: "List the integrators in the order in which they were created",
    options: { after: { about: "begin after this id", fallback: "" } },
    run: showIntegrators,
  },
  {
    words: ["integrator", "suspend"],
    summary: "Decline everything new on an integrator's cards until it is resumed",
    takesId: true,
    options: {},
    run: suspend,
  },
  {
    words: ["integrator", "resume"],
    summary: "Let the cards of a suspended integrator pay again",
    takesId: true,
    options: {},
    run: resume,
  },
  {
    words: ["integrator", "vouch"],
    summary: "Vouch for the emails of an integrator that signed itself up",
    takesId: true,
    options: {},
    run: vouch,
  },
  {
    words: ["processor-key", "create"],
    summary: "Create a key for the card network's side, /api/processor",
    options: { name: { about: "what the key is called in histories" } },
    run: createKey,
  },
  {
    words: ["processor-key", "list"],
    summary: "List the keys of the card network's side",
    options: {},
    run: showKeys,
  },
  {
    words: ["processor-key", "revoke"],
    summary: "End a key of the card network's side",
    takesId: true,
    options: {},
    run: revokeKey,
  },
  {
    words: ["staff", "reset-password"],
    summary: "Make a one-time link by which a member of staff chooses a new password",
    options: {
      email: { about: "the email they sign in with" },
      integrator: { about: "their integrator's id, when two have that email", fallback: "" },
    },
    run: resetPassword,
  },
  {
    words: ["verify"],
    summary: "Check all the books; ends with 1 when they do not balance",
    options: {},
    run: verify,
  },
];
