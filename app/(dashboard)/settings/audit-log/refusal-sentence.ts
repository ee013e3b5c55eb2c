import { say } from "../../../sentence/say.ts";
import type { Sentence } from "../../../sentence/say.ts";
import type { Teller } from "../../../sentence/teller.ts";
import { toRefusedOperation } from "#lib/record/audit-actions.ts";

/** What staff attempt with each operation that writes; a card, where it concerns one, follows. */
export const ATTEMPTS: Readonly<Record<string, string>> = {
  createApiKey: "create an API key",
  revokeApiKey: "revoke an API key",
  updateAccount: "change the account",
  updateSettings: "change the settings",
  registerUser: "register a cardholder",
  updateUser: "update a cardholder",
  archiveUser: "archive a cardholder",
  unarchiveUser: "unarchive a cardholder",
  updateCard: "change the metadata of",
  freezeCard: "freeze",
  unfreezeCard: "unfreeze",
  closeCard: "close",
  createVirtualCard: "create a card",
  creditCard: "credit",
  debitCard: "debit",
  topUpCard: "top up",
  topUpFloat: "top up the float",
  mockTransaction: "simulate a transaction on",
  advanceClock: "advance the sandbox clock",
  resetClock: "reset the sandbox clock",
  inviteStaff: "invite a staff member",
  revokeInvitation: "revoke an invitation",
  changeRole: "change a role",
  removeStaff: "remove a staff member",
  revokeSessions: "sign a staff member out",
  makePasswordReset: "create a password reset link",
  requireSecondFactor: "change the two-factor requirement",
  confirmSelf: "confirm their identity",
  changePassword: "change their password",
  revokeOtherSessions: "sign out of their other sessions",
  revokeOwnSession: "sign out of one of their sessions",
  beginSecondFactor: "set up two-factor authentication",
  enableSecondFactor: "enable two-factor authentication",
  disableSecondFactor: "disable two-factor authentication",
  resendWebhookDelivery: "resend a webhook",
  recoverWebhookDeliveries: "resend missed webhooks",
  sendTestWebhook: "send a test webhook",
  enableWebhooks: "enable webhooks",
  rotateWebhookSecret: "rotate the signing secret",
  revealWebhookSecret: "reveal the signing secret",
  createInbox: "create a test inbox",
};

/** The operations that concern one card. */
const ON_CARD: ReadonlySet<string> = new Set([
  "freezeCard",
  "unfreezeCard",
  "closeCard",
  "creditCard",
  "debitCard",
  "topUpCard",
  "mockTransaction",
  "updateCard",
]);

/** An attempt of staff that was refused, and why: `Mo Viewer tried to freeze Ada Winter •••• 5651. Refused: …` */
export function tellRefusal(action: string, teller: Teller): Sentence {
  const { who, subject } = teller;
  const operation = toRefusedOperation(action) ?? "";
  const attempt = Object.hasOwn(ATTEMPTS, operation) ? ATTEMPTS[operation] : undefined;
  const words = attempt ?? `make a request (${action})`;
  const what = ON_CARD.has(operation) ? say`${words} ${toCard(subject)}` : say`${words}`;
  return say`${who} tried to ${what}. Refused: ${toReason(teller)}`;
}

/** The request may not have named a card that exists. */
function toCard(subject: Teller["subject"]) {
  return typeof subject !== "string" && subject.href.startsWith("/cards/") ? subject : "a card";
}

function toReason(teller: Teller): string {
  const code = teller.text("code");
  if (code === "scope_missing" || code === "role_insufficient") {
    return "their role doesn't allow it";
  }
  return teller.text("detail") || code;
}
