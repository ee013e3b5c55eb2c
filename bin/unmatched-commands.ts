import { matchFact } from "#lib/api/replay/match-fact.ts";
import { formatMoney } from "#lib/base/money.ts";
import { listUnmatched, UNMATCHED_LIST_MAX } from "#lib/processor/unmatched.ts";
import type { UnmatchedFact } from "#lib/processor/unmatched.ts";
import { inTransaction } from "#db/transaction.ts";
import { newOrigin, onInstallation } from "./command.ts";
import type { Command, Input, Result } from "./command.ts";
import type { Installation } from "./installation.ts";

/** The commands for reports of the card network about unknown cards. */

const WHAT: Readonly<Record<UnmatchedFact["operation"], string>> = {
  createCapture: "capture",
  createPosting: "purchase",
  createRefund: "refund",
};

const WHY: Readonly<Record<UnmatchedFact["reason"], string>> = {
  authorization_not_found: "unknown authorization",
  card_not_found: "unknown card",
  transaction_not_found: "unknown transaction",
  not_recorded: "damaged records; see the log",
};

async function show({ db }: Installation): Promise<Result> {
  const facts = await listUnmatched(db);
  const lines = facts.map((fact) =>
    [
      fact.id,
      fact.createdAt.toISOString(),
      WHAT[fact.operation].padEnd(8),
      String(fact.amount ?? "").padStart(12),
      `${WHY[fact.reason]}${fact.cardId === null ? "" : ` (card ${fact.cardId})`}`,
      [`reference ${fact.reference}`, fact.merchant?.name].filter(Boolean).join(", "),
    ].join("  "),
  );
  const more = facts.length === UNMATCHED_LIST_MAX ? ["There are more; match these first."] : [];
  return {
    text:
      [...lines, ...more].join("\n") ||
      "Everything that the card network reported is in the books.",
    json: facts.map((fact) => ({
      id: fact.id,
      reference: fact.reference,
      what: WHAT[fact.operation],
      amount: fact.amount,
      reason: fact.reason,
      card_id: fact.cardId,
      merchant: fact.merchant,
      network: fact.network,
      created_at: fact.createdAt,
    })),
  };
}

async function match({ db }: Installation, { id, options }: Input): Promise<Result> {
  const cardId = (options["card"] ?? "").toLowerCase();
  const { transaction } = await inTransaction(db, (tx) =>
    matchFact(tx, newOrigin(), { id, cardId }),
  );
  const { amount, currency } = transaction;
  return {
    text: `Transaction ${transaction.id} records ${formatMoney(amount, currency)} on card ${cardId}. A repeat by the card network gets it as the answer.`,
    json: { id, card_id: cardId, transaction_id: transaction.id },
  };
}

export const UNMATCHED: readonly Command[] = [
  {
    words: ["unmatched"],
    summary: "List what the card network has reported about unknown cards",
    options: {},
    run: onInstallation(show),
  },
  {
    words: ["unmatched", "match"],
    summary: "Record such a report on a card",
    takesId: true,
    options: { card: { about: "the id of the card" } },
    run: onInstallation(match),
  },
];
