import type { DeclaredAction } from "#lib/audit/action.ts";
import { OWN_ACTIONS } from "#lib/audit/declared.ts";
import { formatRefusal } from "#lib/audit/internal/refusal-sentence.ts";
import { formatEvent } from "#lib/events/events.ts";
import type { AuditEntry } from "#lib/record/audit.ts";
import type { Sentence } from "#lib/sentences/say.ts";
import { EventFormatter } from "#lib/sentences/event-formatter.ts";
import type { SentenceContext } from "#lib/sentences/event-formatter.ts";

const OWN: ReadonlyMap<string, DeclaredAction> = new Map(Object.entries(OWN_ACTIONS));

/** The sentence for an entry of the audit log: what happened, by whom, and to what. */
export function toAuditSentence(entry: AuditEntry, context: SentenceContext): Sentence {
  const { action, actor, before, after } = entry;
  const subject = { type: entry.targetType, id: entry.targetId };
  const formatter = new EventFormatter(context, { actor, subject, before, after });
  return (
    formatEvent(action, formatter) ??
    OWN.get(action)?.format(formatter) ??
    formatRefusal(action, formatter)
  );
}
