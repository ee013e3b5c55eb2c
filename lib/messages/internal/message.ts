import type { StaffIdentity } from "#lib/base/actor.ts";
import type { Topic } from "#lib/messages/topics.ts";

/** What a message says, as plain text. Names in it may be hostile: `record-messages.ts` makes them harmless. */
export interface Written {
  subject: string;
  /** Its paragraphs. */
  lines: readonly string[];
  /** Where its button leads: a path of the dashboard. */
  action: { label: string; path: string };
}

/** The account that a message is about. */
export interface Account {
  businessName: string;
  currency: string;
}

/** A kind of message, declared once. */
export interface MessageKind<Facts extends object = never> {
  kind: string;
  /** Shown in the outbox when the subject of the message is not kept. */
  name: string;
  /** Who gets it: the person whom it is about, and everyone with one of these roles. */
  to: readonly ("person" | Exclude<StaffIdentity["role"], "viewer">)[];
  /** The topic with which a person switches it off; null if nobody can. */
  topic: Topic | null;
  write(facts: Facts & Account): Written;
}

/** Declares a kind of message. */
export function message<Facts extends object>(declared: MessageKind<Facts>): MessageKind<Facts> {
  return declared;
}
