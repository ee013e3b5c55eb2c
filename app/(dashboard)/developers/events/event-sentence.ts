import { say } from "../../../sentence/say.ts";
import type { Part, Sentence } from "../../../sentence/say.ts";
import { tellAmendment, Teller, tellChange, toFreezeReason } from "../../../sentence/teller.ts";
import type { Members, Telling } from "../../../sentence/teller.ts";
import type { ActorRef } from "#lib/base/actor.ts";
import { EVENTS } from "#lib/record/event-catalog.ts";
import type { EventName } from "#lib/record/event-catalog.ts";
import type { RecordRef } from "#lib/record/names.ts";
import { toDeclineReasonName } from "#lib/transactions/decline-rules.ts";

/** The members of an event's envelope that its sentence uses. */
export interface ToldEvent {
  event: string;
  actor: ActorRef;
  subject: RecordRef;
  data: Members;
  previous: Members | null;
}

/** The sentence for an event. */
export function toEventSentence(told: ToldEvent, telling: Telling): Sentence {
  const { event, actor, subject, data, previous } = told;
  const teller = new Teller(telling, { actor, subject, before: previous, after: data });
  return isEvent(event) ? SENTENCES[event](teller) : say`${event}`;
}

function isEvent(event: string): event is EventName {
  return Object.hasOwn(EVENTS, event);
}

const SENTENCES: Readonly<Record<EventName, (teller: Teller) => Sentence>> = {
  "card.created": ({ who, subject }) => say`${who} created ${subject}`,
  "card.updated": ({ who, subject }) => say`${who} changed the metadata of ${subject}`,
  "card.frozen": tellFreeze,
  "card.unfrozen": ({ who, subject }) => say`${who} unfroze ${subject}`,
  "card.closed": ({ who, subject }) => say`${who} closed ${subject}`,
  "card.credited": (teller) => say`${teller.who} credited ${teller.subject} with ${teller.moved()}`,
  "card.debited": (teller) => say`${teller.who} debited ${teller.moved()} from ${teller.subject}`,
  "card.transaction": (teller) =>
    say`${teller.moved()} was ${toOutcome(teller)} on ${teller.subject}${toMerchant(teller)}`,
  "card.reverse-transaction": tellReversal,
  "card.transaction-declined": (teller) =>
    say`${teller.moved()} was declined on ${teller.subject}${toMerchant(teller)}: ${toDecline(teller)}`,
  "float.topped-up": (teller) =>
    say`${teller.who} topped up ${teller.subject} with ${teller.money("amount")}`,
  "float.low-balance": (teller) =>
    say`${FLOAT} is at ${teller.money("balance")}, below the threshold of ${teller.money("threshold")}`,
  "float.recovered": (teller) =>
    teller.after["threshold"] === null
      ? say`${FLOAT} is at ${teller.money("balance")} and no longer has a threshold`
      : say`${FLOAT} is at ${teller.money("balance")}, no longer below the threshold of ${teller.money("threshold")}`,
  "integrator.updated": tellUpdate,
  "user.kyc-verification": ({ who, subject }) => say`${who} registered the cardholder ${subject}`,
  "user.updated": ({ who, subject }) => say`${who} updated the cardholder ${subject}`,
  "user.archived": ({ who, subject }) => say`${who} archived the cardholder ${subject}`,
  "user.unarchived": ({ who, subject }) => say`${who} unarchived the cardholder ${subject}`,
  "webhook.test": ({ who }) => say`${who} sent a test webhook`,
};

const FLOAT: Part = { text: "The float", href: "/float" };

function tellFreeze(teller: Teller): Sentence {
  const { who, subject, after } = teller;
  const { reason, comment }: Members = Object.assign(
    { reason: null, comment: null },
    after["freeze"],
  );
  return after["amended"] === true
    ? tellAmendment(teller, { given: after["given_reason"], standing: reason })
    : say`${who} froze ${subject}${toFreezeReason(reason, comment)}`;
}

function toOutcome(teller: Teller): string {
  if (teller.text("status") === "authorized") {
    return "authorized";
  }
  return teller.text("authorization_id") === "" ? "spent" : "captured";
}

function toMerchant({ after: { merchant } }: Teller): string {
  return typeof merchant === "object" && merchant !== null && "name" in merchant
    ? ` at ${String(merchant.name)}`
    : "";
}

function toDecline(teller: Teller): string {
  return toDeclineReasonName(teller.text("decline_reason")).toLowerCase();
}

function tellReversal(teller: Teller): Sentence {
  if (teller.text("refund_of") !== "") {
    return say`${teller.moved()} was refunded to ${teller.subject}${toMerchant(teller)}`;
  }
  const why = teller.text("status") === "expired" ? " when its authorization expired" : "";
  return say`A hold of ${teller.moved()} on ${teller.subject} was released${why}`;
}

function tellUpdate(teller: Teller): Sentence {
  const { who, subject, after } = teller;
  if (!("suspended_at" in after)) {
    return tellChange(teller);
  }
  return after["suspended_at"] === null
    ? say`${who} resumed ${subject}`
    : say`${who} suspended ${subject}`;
}
