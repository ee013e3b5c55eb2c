import type { DeclaredAction } from "#lib/audit/action.ts";
import { OWN_ACTIONS } from "#lib/audit/declared.ts";
import { tellRefusal } from "#lib/audit/internal/refusal-sentence.ts";
import { tellEvent } from "#lib/events/events.ts";
import type { AuditEntry } from "#lib/record/audit.ts";
import type { Sentence } from "#lib/sentences/say.ts";
import { Teller } from "#lib/sentences/teller.ts";
import type { Telling } from "#lib/sentences/teller.ts";

const OWN: ReadonlyMap<string, DeclaredAction> = new Map(Object.entries(OWN_ACTIONS));

/** The sentence for an entry of the audit log: what happened, by whom, and to what. */
export function toAuditSentence(entry: AuditEntry, telling: Telling): Sentence {
  const { action, actor, before, after } = entry;
  const subject = { type: entry.targetType, id: entry.targetId };
  const teller = new Teller(telling, { actor, subject, before, after });
  return tellEvent(action, teller) ?? OWN.get(action)?.tell(teller) ?? tellRefusal(action, teller);
}
