import type { Part, Sentence } from "./say.ts";
import { say } from "./say.ts";
import type { ActorRef } from "#lib/base/actor.ts";
import { FREEZE_REASON_NAMES, FREEZE_REASONS } from "#lib/cards/card-state.ts";
import { formatMoney } from "#lib/base/money.ts";
import type { RecordRef } from "#lib/record/names.ts";

export type Members = Readonly<Record<string, unknown>>;

/** What sentences about one account's records need to know. */
export interface Telling {
  /** The names of records, by id. */
  names: ReadonlyMap<string, string>;
  currency: string;
}

/** Makes the parts of the sentences about one event or one entry of the audit log. */
export class Teller {
  readonly who: Part;
  readonly subject: Part;
  readonly before: Members;
  readonly after: Members;
  private readonly telling: Telling;

  constructor(
    telling: Telling,
    told: { actor: ActorRef; subject: RecordRef; before: Members | null; after: Members | null },
  ) {
    this.telling = telling;
    this.who = toActorPart(told.actor);
    this.subject = this.record(told.subject);
    this.before = told.before ?? {};
    this.after = told.after ?? {};
  }

  /** A record's name, linked to the record. */
  record({ type, id }: RecordRef): Part {
    const kind = Object.hasOwn(RECORDS, type) ? RECORDS[type] : undefined;
    const text = this.telling.names.get(id) ?? kind?.name ?? "a record";
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
    return typeof value === "number" ? formatMoney(value, this.telling.currency) : "an amount";
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

/** `: lost`; a comment replaces "other". Empty without a reason. */
export function toFreezeReason(reason: unknown, comment: unknown): string {
  if (reason === "other" && typeof comment === "string" && comment !== "") {
    return `: “${comment}”`;
  }
  const known = FREEZE_REASONS.find((each) => each === reason);
  return known ? `: ${FREEZE_REASON_NAMES[known].toLowerCase()}` : "";
}

/**
 * A further reason for a freeze, which replaces a milder one and is noted beside a graver one.
 * @param standing the gravest reason after it.
 */
export function tellAmendment(
  { who, subject }: Teller,
  { given, standing }: { given: unknown; standing: unknown },
): Sentence {
  return given === standing
    ? say`${who} gave the freeze of ${subject} a graver reason${toFreezeReason(given, null)}`
    : say`${who} noted another reason for the freeze of ${subject}${toFreezeReason(given, null)}, beside the graver one${toFreezeReason(standing, null)}`;
}

/** The names of the account's members. */
const MEMBER_NAMES: Readonly<Record<string, string>> = {
  business_address: "the business address",
  webhook_url: "the webhook URL",
  domain: "the domain",
  low_balance_threshold: "the low-balance threshold",
  api_version: "the default API version",
  log_bodies: "whether the API log keeps bodies",
  time_zone: "the time zone",
  idempotency_required: "whether idempotency keys are required",
};

/** What a change changed: `changed the domain from a.example to b.example`. */
export function tellChange(teller: Teller): Sentence {
  const { who, before, after } = teller;
  const names = Object.keys(after);
  const [name = ""] = names;
  const changed = new Intl.ListFormat("en-US").format(names.map(toMemberName));
  if (names.length !== 1) {
    return say`${who} changed ${changed}`;
  }
  const show = (value: unknown) =>
    typeof value === "number" ? teller.money(name) : toShown(value);
  return typeof before[name] === "string" && typeof after[name] === "string"
    ? say`${who} changed ${changed} from ${show(before[name])} to ${show(after[name])}`
    : say`${who} changed ${changed} to ${show(after[name])}`;
}

function toMemberName(name: string): string {
  return MEMBER_NAMES[name] ?? `the ${name.replaceAll("_", " ")}`;
}

function toShown(value: unknown): string {
  if (typeof value === "boolean") {
    return value ? "yes" : "no";
  }
  return typeof value === "string" ? value : "none";
}
