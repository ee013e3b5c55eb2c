import type { ActorRef } from "#lib/base/actor.ts";
import { approvalDecided } from "#lib/messages/internal/kinds/approval-decided.ts";
import { approvalWaiting } from "#lib/messages/internal/kinds/approval-waiting.ts";
import { cardStopped } from "#lib/messages/internal/kinds/card-stopped.ts";
import { floatDeficit } from "#lib/messages/internal/kinds/float-deficit.ts";
import { floatLow } from "#lib/messages/internal/kinds/float-low.ts";
import { floatRecovered } from "#lib/messages/internal/kinds/float-recovered.ts";
import { floatRepaid } from "#lib/messages/internal/kinds/float-repaid.ts";
import { jobRefused } from "#lib/messages/internal/kinds/job-refused.ts";
import { toApprovalWords } from "#lib/messages/approval-words.ts";
import { tellStaff } from "#lib/messages/tell-staff.ts";
import type { Told } from "#lib/messages/tell-staff.ts";
import type { Tx } from "#db/transaction.ts";

/** The parts of an event that messages to people use. */
interface Happened {
  event: string;
  subject: { id: string };
  actor: ActorRef;
  data: Readonly<Record<string, unknown>>;
}

type Tell = (tx: Tx, integratorId: string) => Promise<void>;

/**
 * Sends people messages about the events that they need to know of, in the transaction that records the events. Other
 * events cost no queries.
 */
export async function tellOfEvents(
  tx: Tx,
  integratorId: string,
  happened: readonly Happened[],
): Promise<void> {
  for (const each of happened) {
    await TELLERS[each.event]?.(each)?.(tx, integratorId);
  }
}

function telling<Facts extends object>(told: Told<Facts>): Tell {
  return (tx, integratorId) => tellStaff(tx, integratorId, told);
}

function tellRequester({ actor, data }: Happened): Tell {
  return telling({
    kind: approvalDecided,
    facts: {
      by: actor.name,
      words: toApprovalWords(String(data["operation"])),
      isApproved: data["status"] === "approved",
      path: `/approvals/${String(data["id"])}`,
    },
    personId: String(data["requester_id"]),
  });
}

/** Keeps a flood of requests, for example from a program, from flooding mailboxes. The dashboard lists all of them. */
const APPROVALS_HOURLY_MAX = 10;

/** The message for each event that people need to know of; null if this event of that name needs none. */
const TELLERS: Readonly<Record<string, (happened: Happened) => Tell | null>> = {
  "float.low-balance": ({ subject, data }) =>
    telling({
      kind: floatLow,
      facts: { balance: Number(data["balance"]), threshold: Number(data["threshold"]) },
      personId: null,
      stateOf: subject.id,
    }),
  "float.recovered": ({ subject, data }) =>
    telling({
      kind: floatRecovered,
      facts: { balance: Number(data["balance"]) },
      personId: null,
      stateOf: subject.id,
    }),
  "float.deficit": ({ subject, data }) =>
    telling({
      kind: floatDeficit,
      facts: { deficit: Number(data["deficit"]) },
      personId: null,
      stateOf: subject.id,
    }),
  "float.deficit-repaid": ({ subject, data }) =>
    data["deficit"] === 0
      ? telling({
          kind: floatRepaid,
          facts: { balance: Number(data["balance"]) },
          personId: null,
          stateOf: subject.id,
        })
      : null,
  "card.frozen": ({ subject, data }) => {
    const isByRule = data["rule"] !== null;
    return isByRule || data["given_level"] === "compliance"
      ? telling({
          kind: cardStopped,
          facts: { last4: String(data["last4"]), isByRule, path: `/cards/${subject.id}` },
          personId: null,
          stateOf: subject.id,
        })
      : null;
  },
  "approval.requested": ({ actor, data }) =>
    telling({
      kind: approvalWaiting,
      facts: {
        by: actor.name,
        words: toApprovalWords(String(data["operation"])),
        amount: typeof data["amount"] === "number" ? data["amount"] : null,
        path: `/approvals/${String(data["id"])}`,
      },
      personId: null,
      exceptId: String(data["requester_id"]),
      hourlyMax: APPROVALS_HOURLY_MAX,
    }),
  "approval.approved": tellRequester,
  "approval.rejected": tellRequester,
  "bulk.completed": ({ actor, data }) =>
    actor.type === "staff" && actor.id !== null && Number(data["refused"]) > 0
      ? telling({
          kind: jobRefused,
          facts: {
            operation: String(data["operation"]),
            total: Number(data["total"]),
            refused: Number(data["refused"]),
            path: `/cards/bulk/${String(data["id"])}`,
          },
          personId: actor.id,
        })
      : null,
};
