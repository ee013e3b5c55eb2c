import type { ActorRef } from "#lib/base/actor.ts";
import { formatMoney } from "#lib/base/money.ts";
import type { RecordRef } from "#lib/record/names.ts";
import type { Part } from "#lib/sentences/say.ts";

export type Members = Readonly<Record<string, unknown>>;

/** What formatting needs to know about the account. */
export interface SentenceContext {
  /** The names of records, by id. */
  names: ReadonlyMap<string, string>;
  currency: string;
}

/** Formats the parts of a sentence about an event or an entry of the audit log. */
export class EventFormatter {
  readonly who: Part;
  readonly subject: Part;
  /** Whether the actor is also the subject. */
  readonly isOwn: boolean;
  readonly before: Members;
  readonly after: Members;
  private readonly context: SentenceContext;

  constructor(
    context: SentenceContext,
    about: { actor: ActorRef; subject: RecordRef; before: Members | null; after: Members | null },
  ) {
    this.context = context;
    this.who = toActorPart(about.actor);
    this.subject = this.record(about.subject);
    this.isOwn = about.actor.id === about.subject.id;
    this.before = about.before ?? {};
    this.after = about.after ?? {};
  }

  /** A record's name, linked to the record. */
  record({ type, id }: RecordRef): Part {
    const kind = Object.hasOwn(RECORDS, type) ? RECORDS[type] : undefined;
    const text = this.context.names.get(id) ?? kind?.name ?? "a record";
    return kind ? { text, href: kind.href(id) } : text;
  }

  /** A member as text; empty if it is missing. */
  text(name: string): string {
    const value = this.after[name] ?? this.before[name];
    return typeof value === "string" ? value : "";
  }

  /** A member that holds an amount in minor units. */
  money(name: string): string {
    const value = this.after[name];
    return typeof value === "number" ? this.amount(value) : "an amount";
  }

  /** An amount in minor units. */
  amount(value: number): string {
    return formatMoney(value, this.context.currency);
  }

  /** The same, linked to the transaction. */
  moved(name = "amount"): Part {
    const id = this.text("reference");
    const text = this.money(name);
    return id === "" ? text : { text, href: `/transactions/${id}` };
  }
}

/** The actor. A person is linked to what else they did. */
function toActorPart({ type, id, name }: ActorRef): Part {
  if (type === "staff" && id !== null) {
    return { text: name, href: `/settings/audit-log?actor_id=${id}` };
  }
  return type === "api_key" ? { text: name, href: "/developers/api-keys" } : name;
}

const RECORDS: Readonly<Record<string, { name: string; href: (id: string) => string }>> = {
  card: { name: "a card", href: (id) => `/cards/${id}` },
  cardholder: { name: "a cardholder", href: (id) => `/cardholders/${id}` },
  float: { name: "the float", href: () => "/float" },
  account: { name: "the account", href: () => "/settings/account" },
  api_key: { name: "an API key", href: () => "/developers/api-keys" },
  staff: { name: "a staff member", href: () => "/settings/staff" },
};
