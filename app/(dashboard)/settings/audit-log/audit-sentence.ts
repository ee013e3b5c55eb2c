import { say } from "../../../sentence/say.ts";
import type { Sentence } from "../../../sentence/say.ts";
import { tellAmendment, Teller, tellChange, toFreezeReason } from "../../../sentence/teller.ts";
import type { Telling } from "../../../sentence/teller.ts";
import { tellRefusal } from "./refusal-sentence.ts";
import { toAheadText } from "#lib/base/deadline-clock.ts";
import { isAuditAction } from "#lib/record/audit-actions.ts";
import type { AuditAction } from "#lib/record/audit-actions.ts";
import type { AuditEntry } from "#lib/record/audit.ts";
import { SIMULATIONS } from "#lib/transactions/transaction-kinds.ts";
import type { Simulation } from "#lib/transactions/transaction-kinds.ts";
import { SWITCH_OFF_REASONS } from "#lib/webhooks/delivery-states.ts";

/** The sentence for an entry: what happened, by whom, and to what. */
export function toAuditSentence(entry: AuditEntry, telling: Telling): Sentence {
  const { action, actor, before, after } = entry;
  const subject = { type: entry.targetType, id: entry.targetId };
  const teller = new Teller(telling, { actor, subject, before, after });
  if (isAuditAction(action)) {
    return SENTENCES[action](teller);
  }
  return tellRefusal(action, teller);
}

const TWO_FACTOR = "two-factor authentication";
const WEBHOOKS = "/developers/webhooks";

type Tell = (teller: Teller) => Sentence;

const SENTENCES: Readonly<Record<AuditAction, Tell>> = {
  "card.created": ({ who, subject }) => say`${who} created ${subject}`,
  "card.updated": ({ who, subject }) => say`${who} changed the metadata of ${subject}`,
  "card.frozen": tellFreeze,
  "card.unfrozen": ({ who, subject }) => say`${who} unfroze ${subject}`,
  "card.closed": ({ who, subject }) => say`${who} closed ${subject}`,
  "card.credited": (teller) => say`${teller.who} credited ${teller.subject} with ${teller.moved()}`,
  "card.debited": (teller) => say`${teller.who} debited ${teller.moved()} from ${teller.subject}`,
  "card.transaction-simulated": tellSimulation,
  "sandbox.clock-advanced": ({ who, before, after }) =>
    say`${who} advanced the sandbox clock by ${toAheadText(Number(after["offset_seconds"]) - Number(before["offset_seconds"]))}`,
  "sandbox.clock-reset": ({ who }) => say`${who} set the sandbox clock back to real time`,
  "float.topped-up": (teller) =>
    say`${teller.who} topped up ${teller.subject} with ${teller.money("amount")}`,
  "cardholder.registered": ({ who, subject }) => say`${who} registered the cardholder ${subject}`,
  "cardholder.updated": ({ who, subject }) => say`${who} updated the cardholder ${subject}`,
  "cardholder.archived": ({ who, subject }) => say`${who} archived the cardholder ${subject}`,
  "cardholder.unarchived": ({ who, subject }) => say`${who} unarchived the cardholder ${subject}`,
  "account.registered": () => say`The account was registered`,
  "integrator.updated": tellChange,
  "integrator.suspended": ({ who, subject }) => say`${who} suspended ${subject}`,
  "integrator.resumed": ({ who, subject }) => say`${who} resumed ${subject}`,
  "integrator.vouched": ({ who }) => say`${who} verified the email addresses of staff`,
  "account.second_factor_required": ({ who, after }) =>
    after["required"] === true
      ? say`${who} required ${TWO_FACTOR} for all staff`
      : say`${who} made ${TWO_FACTOR} optional for staff`,
  "api_key.created": ({ who, subject }) => say`${who} created the API key ${subject}`,
  "api_key.revoked": ({ who, subject }) => say`${who} revoked the API key ${subject}`,
  "staff.invited": (teller) =>
    say`${teller.who} invited ${toInvitee(teller)} as ${teller.text("role")}`,
  "staff.invitation_revoked": (teller) =>
    say`${teller.who} revoked the invitation for ${toInvitee(teller)}`,
  "staff.joined": (teller) => say`${teller.who} accepted an invitation as ${teller.text("role")}`,
  "staff.role_changed": ({ who, subject, before, after }) =>
    say`${who} changed the role of ${subject} from ${String(before["role"])} to ${String(after["role"])}`,
  "staff.removed": ({ who, subject }) => say`${who} removed ${subject}`,
  "staff.sessions_revoked": ({ who, subject }) =>
    isSame(who, subject)
      ? say`${who} signed out of their other sessions`
      : say`${who} signed ${subject} out everywhere`,
  "staff.session_revoked": ({ who }) => say`${who} signed out of another of their sessions`,
  "staff.password_reset_made": ({ who, subject }) =>
    say`${who} created a password reset link for ${subject}`,
  "staff.password_reset": ({ who }) => say`${who} reset their password`,
  "staff.password_changed": ({ who }) => say`${who} changed their password`,
  "staff.signed_in": ({ who }) => say`${who} signed in`,
  "staff.sign_in_refused": ({ who }) => say`A sign-in as ${who} was refused`,
  "staff.second_factor_begun": ({ who }) => say`${who} started setting up ${TWO_FACTOR}`,
  "staff.second_factor_enabled": ({ who }) => say`${who} enabled ${TWO_FACTOR}`,
  "staff.second_factor_disabled": ({ who }) => say`${who} disabled ${TWO_FACTOR}`,
  "webhooks.enabled": ({ who }) => say`${who} enabled ${{ text: "webhooks", href: WEBHOOKS }}`,
  "webhooks.switched-off": (teller) =>
    say`${{ text: "Webhooks", href: WEBHOOKS }} were disabled. ${toSwitchOffReason(teller.text("reason"))}`,
  "webhooks.tested": (teller) => say`${teller.who} sent ${toDelivery("a test webhook", teller)}`,
  "webhooks.secret-rotated": ({ who }) =>
    say`${who} rotated the ${{ text: "signing secret", href: WEBHOOKS }}`,
  "webhooks.secret-revealed": ({ who }) =>
    say`${who} revealed the ${{ text: "signing secret", href: WEBHOOKS }}`,
  "webhooks.resent": (teller) => say`${teller.who} resent ${toDelivery("a webhook", teller)}`,
  "webhooks.recovered": ({ who, after }) =>
    say`${who} resent ${Number(after["recovered"]).toLocaleString("en-US")} missed webhooks`,
  "webhooks.inbox-created": ({ who }) =>
    say`${who} created the ${{ text: "test inbox", href: WEBHOOKS }}`,
};

const SIMULATED: Readonly<Record<Simulation, string>> = {
  deduct: "a purchase",
  "deduct-reversal": "a refund",
  authorize: "an authorization",
  capture: "a capture",
  reversal: "a reversal",
  expire: "an expiry",
  refund: "a refund",
};

function tellFreeze(teller: Teller): Sentence {
  const { who, subject, before, after } = teller;
  const { reason, comment } = after;
  return before["status"] === "frozen"
    ? tellAmendment(teller, { given: reason, standing: after["standing_reason"] })
    : say`${who} froze ${subject}${toFreezeReason(reason, comment)}`;
}

function tellSimulation(teller: Teller): Sentence {
  const { who, subject } = teller;
  const type = SIMULATIONS.find((each) => each === teller.text("type"));
  const text = type ? SIMULATED[type] : "a transaction";
  const transaction = { text, href: `/transactions/${teller.text("reference")}` };
  return say`${who} simulated ${transaction} on ${subject}${toOutcome(teller)}`;
}

function toOutcome(teller: Teller): string {
  if (teller.text("status") !== "declined") {
    return "";
  }
  return teller.text("decline_with") === "" ? ", which was declined" : ", with a forced decline";
}

/** An invitation names an email, because nobody has joined with it yet. */
function toInvitee(teller: Teller) {
  return { text: teller.text("email"), href: "/settings/staff" };
}

function toDelivery(text: string, teller: Teller) {
  return { text, href: `${WEBHOOKS}/deliveries/${teller.text("delivery")}` };
}

function toSwitchOffReason(reason: string): string {
  return Object.entries(SWITCH_OFF_REASONS).find(([each]) => each === reason)?.[1] ?? "";
}

function isSame(who: Teller["who"], subject: Teller["subject"]): boolean {
  return typeof who !== "string" && typeof subject !== "string" && who.text === subject.text;
}
