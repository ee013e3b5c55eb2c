import { say } from "#lib/sentences/say.ts";
import type { Sentence } from "#lib/sentences/say.ts";
import { Teller } from "#lib/sentences/teller.ts";
import type { Telling } from "#lib/sentences/teller.ts";
import { tellRefusal } from "./refusal-sentence.ts";
import { toAheadText } from "#lib/base/deadline-clock.ts";
import { toLevelName } from "#lib/cards/card-state.ts";
import { tellEvent } from "#lib/events/events.ts";
import type { AuditAction } from "#lib/record/audit-actions.ts";
import type { AuditEntry } from "#lib/record/audit.ts";
import type { EVENT_ACTIONS } from "#lib/record/declared-events.ts";
import { SIMULATIONS } from "#lib/transactions/transaction-kinds.ts";
import type { Simulation } from "#lib/transactions/transaction-kinds.ts";
import { isViewList, VIEW_LIST_NAMES } from "#lib/views/view-lists.ts";
import { SWITCH_OFF_REASONS } from "#lib/webhooks/delivery-states.ts";

/** The sentence for an entry: what happened, by whom, and to what. */
export function toAuditSentence(entry: AuditEntry, telling: Telling): Sentence {
  const { action, actor, before, after } = entry;
  const subject = { type: entry.targetType, id: entry.targetId };
  const teller = new Teller(telling, { actor, subject, before, after });
  return (
    tellEvent(action, teller) ??
    (isOwnAction(action) ? SENTENCES[action](teller) : tellRefusal(action, teller))
  );
}

const TWO_FACTOR = "two-factor authentication";
const WEBHOOKS = "/developers/webhooks";
const ENDPOINT = { text: "webhook endpoint", href: WEBHOOKS };

/** An action that is no event: an event's declaration has its sentence. */
type OwnAction = Exclude<AuditAction, keyof typeof EVENT_ACTIONS>;

type Tell = (teller: Teller) => Sentence;

const SENTENCES: Readonly<Record<OwnAction, Tell>> = {
  "card.fact-matched": (teller) =>
    say`${teller.who} matched ${{ text: "a transaction", href: `/transactions/${teller.text("reference")}` }} that the card network had reported to ${teller.subject}`,
  "card.freeze-lifted": (teller) =>
    say`${teller.who} lifted the ${toLevelName(teller.text("level"))} freeze of ${teller.subject}, which stays frozen`,
  "card.noted": tellNote,
  "card.transaction-simulated": tellSimulation,
  "sandbox.clock-advanced": ({ who, before, after }) =>
    say`${who} advanced the sandbox clock by ${toAheadText(Number(after["offset_seconds"]) - Number(before["offset_seconds"]))}`,
  "sandbox.clock-reset": ({ who }) => say`${who} set the sandbox clock back to real time`,
  "account.registered": () => say`The account was registered`,
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
  "staff.sessions_revoked": ({ who, subject, isOwn }) =>
    isOwn
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
  "view.created": (teller) => say`${teller.who} saved a view of ${toListName(teller)}`,
  "view.updated": (teller) => say`${teller.who} changed a view of ${toListName(teller)}`,
  "view.deleted": (teller) => say`${teller.who} deleted a view of ${toListName(teller)}`,
  "webhooks.enabled": (teller) =>
    isFurther(teller)
      ? say`${teller.who} enabled a ${ENDPOINT}`
      : say`${teller.who} enabled ${{ text: "webhooks", href: WEBHOOKS }}`,
  "webhooks.switched-off": (teller) =>
    isFurther(teller)
      ? say`A ${ENDPOINT} was disabled. ${toSwitchOffReason(teller.text("reason"))}`
      : say`${{ text: "Webhooks", href: WEBHOOKS }} were disabled. ${toSwitchOffReason(teller.text("reason"))}`,
  "webhooks.endpoint-created": ({ who }) => say`${who} created a ${ENDPOINT}`,
  "webhooks.endpoint-updated": ({ who, after }) =>
    "dropped_headers" in after
      ? say`${who} changed a ${ENDPOINT}. Its headers stayed behind with the old URL.`
      : say`${who} changed a ${ENDPOINT}`,
  "webhooks.endpoint-deleted": ({ who }) => say`${who} deleted a ${ENDPOINT}`,
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

function isOwnAction(action: string): action is OwnAction {
  return Object.hasOwn(SENTENCES, action);
}

function tellNote(teller: Teller): Sentence {
  const { who, subject } = teller;
  const transactionId = teller.text("transaction_id");
  const transaction = { text: "a transaction", href: `/transactions/${transactionId}` };
  return transactionId === ""
    ? say`${who} added a note to ${subject}`
    : say`${who} added a note to ${transaction} of ${subject}`;
}

const SIMULATED: Readonly<Record<Simulation, string>> = {
  deduct: "a purchase",
  "deduct-reversal": "a refund",
  authorize: "an authorization",
  advice: "an approval by the card network",
  verification: "a verification",
  increment: "an increment",
  capture: "a capture",
  posting: "a purchase without authorization",
  reversal: "a reversal",
  expire: "an expiry",
  refund: "a refund",
  "take-back": "a cancellation",
};

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

function toListName(teller: Teller): string {
  const list = teller.text("list");
  return isViewList(list) ? VIEW_LIST_NAMES[list] : "a list";
}

/** Whether it is about an endpoint other than the account's. */
function isFurther(teller: Teller): boolean {
  return teller.text("endpoint") !== "";
}

function toSwitchOffReason(reason: string): string {
  return Object.entries(SWITCH_OFF_REASONS).find(([each]) => each === reason)?.[1] ?? "";
}
