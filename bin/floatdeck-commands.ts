import { randomBytes } from "node:crypto";
import { registerIntegrator as registrationOperation } from "#lib/operations/account/register-integrator.ts";
import { toRegistration } from "#lib/api/edge/registration.ts";
import { toLinkUrl } from "#lib/api/edge/link-url.ts";
import { validate } from "#lib/api/edge/validate.ts";
import { registerIntegrator } from "#lib/integrators/integrators.ts";
import { checkBooks } from "#lib/ledger/monitor.ts";
import { TELL_OF_BOOKS } from "#lib/messages/tell-of-suspension.ts";
import { formatMoney } from "#lib/base/money.ts";
import {
  createProcessorKey,
  listIntegrators,
  listProcessorKeys,
  OPERATOR_LIST_MAX,
  revokeProcessorKey,
  vouchForIntegrator,
} from "#lib/operator/operator.ts";
import type { IntegratorSummary } from "#lib/operator/operator.ts";
import { hashPassword } from "#lib/staff/passwords.ts";
import { rescuePassword } from "#lib/staff/staff-links.ts";
import { inTransaction } from "#db/transaction.ts";
import { CAPACITY } from "./capacity-command.ts";
import { CARDHOLDER_VERIFY } from "./cardholder-verify.ts";
import { newOrigin, onInstallation } from "./command.ts";
import type { Command, Input, Result } from "./command.ts";
import { DEMO_RESET } from "./demo-reset.ts";
import { DOCTOR } from "./doctor/doctor.ts";
import type { Installation } from "./installation.ts";
import { MAIL_TEST } from "./mail-command.ts";
import { END_APPROVALS } from "./end-approvals-command.ts";
import { MIGRATE } from "./migrate-command.ts";
import { RESTORED } from "./restored-command.ts";
import { SECRET_ROTATE } from "./secret-rotate.ts";
import { STOPS } from "./stop-commands.ts";
import { UNMATCHED } from "./unmatched-commands.ts";

const REGISTRATION_OPTIONS = {
  "business-name": { about: "the integrator's name" },
  "business-address": { about: "its address" },
  "contact-number": { about: "its telephone number" },
  country: { about: "its country" },
  domain: { about: "its hostname or http(s) URL" },
  email: { about: "its owner's email address, for signing in" },
  "first-name": { about: "its owner's first name" },
  "last-name": { about: "its owner's last name" },
  "registration-number": { about: "its company registration number" },
  currency: { about: "the currency of its float and its cards, ISO 4217", fallback: "USD" },
  "webhook-url": { about: "where its notifications are sent", fallback: "" },
} satisfies Command["options"];

async function createIntegrator({ db, settings }: Installation, input: Input): Promise<Result> {
  const { currency, "webhook-url": webhookUrl, ...described } = input.options;
  const password = randomBytes(15).toString("base64url");
  if (!registrationOperation.body) {
    throw new Error("The contract does not declare the body of a registration.");
  }
  const body = validate(registrationOperation.body, {
    ...Object.fromEntries(
      Object.entries(described).map(([name, value]) => [name.replaceAll("-", "_"), value]),
    ),
    webhook_url: webhookUrl || null,
    float_currencies: [currency],
    password,
  });
  const registration = toRegistration(body, await hashPassword(password, "operator"));
  const { account, apiKey } = await inTransaction(db, (tx) =>
    registerIntegrator(
      { tx, request: newOrigin(), environment: settings.environment, vouched: true },
      registration,
    ),
  );
  return {
    text: [
      `Integrator ${account.id} (${account.businessName}) was created in ${settings.environment}.`,
      `  API key    ${apiKey}`,
      `  Sign-in    ${account.email}`,
      `  Password   ${password}`,
      "The key and the password cannot be shown again.",
    ].join("\n"),
    json: { id: account.id, api_key: apiKey, email: account.email, password },
  };
}

async function showIntegrators({ db }: Installation, { options }: Input): Promise<Result> {
  const rows = await listIntegrators(db, options["after"] || undefined);
  const lines = rows.map((row) =>
    [
      row.id,
      formatMoney(row.floatBalance, row.currency).padStart(16),
      toState(row),
      `${row.businessName} <${row.email}>`,
      ...(row.vouched ? [] : ["not vouched for"]),
      ...(row.booksUnbalancedAt ? ["books do not balance"] : []),
    ].join("  "),
  );
  const more = rows.length === OPERATOR_LIST_MAX ? [`More: --after ${rows.at(-1)?.id}`] : [];
  return {
    text: [...lines, ...more].join("\n") || "There are no integrators yet.",
    json: rows.map((row) => ({
      id: row.id,
      business_name: row.businessName,
      email: row.email,
      currency: row.currency,
      float_balance: row.floatBalance,
      vouched: row.vouched,
      suspended_at: row.suspendedAt,
      stopped_at: row.stoppedAt,
      books_unbalanced_at: row.booksUnbalancedAt,
      created_at: row.createdAt,
    })),
  };
}

function toState({ stoppedAt, suspendedAt }: IntegratorSummary): string {
  if (stoppedAt) {
    return "stopped";
  }
  return suspendedAt ? "suspended" : "active";
}

async function vouch({ db }: Installation, { id }: Input): Promise<Result> {
  const emails = await inTransaction(db, (tx) => vouchForIntegrator(tx, newOrigin(), id));
  const text = `Integrator ${id} is vouched for. Your identity provider may sign in: ${emails.join(", ")}.`;
  return { text, json: { id, vouched: true, emails } };
}

async function createKey({ db, settings }: Installation, { options }: Input): Promise<Result> {
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

async function showKeys({ db }: Installation): Promise<Result> {
  const rows = await listProcessorKeys(db);
  const lines = rows.map((row) =>
    [row.id, `${row.prefix}…${row.suffix}`, row.revokedAt ? "revoked" : "active ", row.name].join(
      "  ",
    ),
  );
  return { text: lines.join("\n") || "There are no processor keys yet.", json: rows };
}

async function revokeKey({ db }: Installation, { id }: Input): Promise<Result> {
  if (!(await inTransaction(db, (tx) => revokeProcessorKey(tx, id)))) {
    throw new Error(`Processor key ${id} does not exist.`);
  }
  return { text: `Processor key ${id} is revoked.`, json: { id, revoked: true } };
}

async function resetPassword({ db, settings }: Installation, { options }: Input): Promise<Result> {
  const { link, token } = await inTransaction(db, (tx) =>
    rescuePassword(
      { tx, request: newOrigin() },
      { email: options["email"] ?? "", integrator: options["integrator"]?.toLowerCase() || null },
    ),
  );
  const url = toLinkUrl(link.kind, token, settings.publicUrl);
  return {
    text: [
      `With this link, ${link.email} can set a new password once, within a day:`,
      `  ${url}`,
      "The old password works until the link is used. The link cannot be shown again.",
    ].join("\n"),
    json: { email: link.email, link: url, expires_at: link.expiresAt },
  };
}

async function verify({ db }: Installation): Promise<Result> {
  const started = performance.now();
  const discrepancies = await checkBooks(db, "full", TELL_OF_BOOKS);
  if (discrepancies === undefined) {
    throw new Error("Another process is checking the books; try again.");
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
  CAPACITY,
  CARDHOLDER_VERIFY,
  DOCTOR,
  {
    words: ["integrator", "create"],
    summary: "Create an integrator with its float, its owner's login, and its first API key",
    options: REGISTRATION_OPTIONS,
    run: onInstallation(createIntegrator),
  },
  {
    words: ["integrator", "list"],
    summary: "List the integrators in order of creation",
    options: { after: { about: "start after this id", fallback: "" } },
    run: onInstallation(showIntegrators),
  },
  ...STOPS,
  END_APPROVALS,
  {
    words: ["integrator", "vouch"],
    summary: "Vouch for the emails of an integrator that signed itself up",
    takesId: true,
    options: {},
    run: onInstallation(vouch),
  },
  MIGRATE,
  RESTORED,
  {
    words: ["processor-key", "create"],
    summary: "Create a card processor key, for /api/processor",
    options: { name: { about: "the key's name in audit logs and events" } },
    run: onInstallation(createKey),
  },
  {
    words: ["processor-key", "list"],
    summary: "List the card processor keys",
    options: {},
    run: onInstallation(showKeys),
  },
  {
    words: ["processor-key", "revoke"],
    summary: "Revoke a card processor key",
    takesId: true,
    options: {},
    run: onInstallation(revokeKey),
  },
  SECRET_ROTATE,
  {
    words: ["staff", "reset-password"],
    summary: "Create a one-time link with which a staff member sets a new password",
    options: {
      email: { about: "the email they sign in with" },
      integrator: { about: "their integrator's id, when two have that email", fallback: "" },
    },
    run: onInstallation(resetPassword),
  },
  ...UNMATCHED,
  MAIL_TEST,
  {
    words: ["verify"],
    summary: "Check all the books; exits with 1 when they do not balance",
    options: {},
    run: onInstallation(verify),
  },
  DEMO_RESET,
];
