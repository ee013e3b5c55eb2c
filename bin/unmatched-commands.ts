import { matchClearing } from "#lib/api/commit/match-clearing.ts";
import { formatMoney } from "#lib/base/money.ts";
import {
  canMatch,
  forgetUnmatched,
  listUnmatched,
  lockUnmatched,
  UNMATCHED_LIST_MAX,
} from "#lib/processor/unmatched.ts";
import type { UnmatchedClearing, UnmatchedReason } from "#lib/processor/unmatched.ts";
import { inTransaction } from "#db/transaction.ts";
import { newOrigin, onInstallation } from "./command.ts";
import type { Command, Input, Result } from "./command.ts";
import type { Installation } from "./installation.ts";

/** The commands for facts that the card network has sent but that are not in the books. */

const WHAT: Readonly<Record<UnmatchedClearing["operation"], string>> = {
  createAuthorization: "advice",
  createCapture: "capture",
  createIncrement: "increment",
  createPosting: "purchase",
  createRefund: "refund",
  createReversal: "reversal",
  createReversalByReference: "reversal",
};

const WHY: Readonly<Record<UnmatchedReason, (clearing: UnmatchedClearing) => string>> = {
  authorization_not_found: () => "unknown authorization",
  card_not_found: ({ cardId }) => `unknown card (card ${cardId ?? ""})`,
  transaction_not_found: ({ cardId }) => `unknown transaction (card ${cardId ?? ""})`,
  card_conflict: ({ cardId, authorization }) =>
    `another card (card ${cardId ?? ""}) than its authorization's (card ${authorization?.cardId ?? ""})`,
  currency_mismatch: ({ cardId }) => `another currency than its card's (card ${cardId ?? ""})`,
  reference_reused: (clearing) =>
    `reference taken by another content (${toBooked(clearing)?.transaction_id ?? "not booked either"})`,
  refused: (clearing) => `refused (${toRefusal(clearing) ?? "unknown"})`,
  not_recorded: () => "damaged records; see the log",
};

/** What was booked under the same reference. */
function toBooked({ answered }: UnmatchedClearing) {
  return answered && answered.status < 400 && answered.transactionId !== null
    ? { operation: answered.operation, transaction_id: answered.transactionId }
    : null;
}

/** The code with which the network was answered for good. */
function toRefusal({ answered, fingerprint }: UnmatchedClearing): string | null {
  const isOwn = answered?.fingerprint === fingerprint && answered.status >= 400;
  const problem: { code?: unknown } = isOwn ? JSON.parse(answered.body) : {};
  return typeof problem.code === "string" ? problem.code : null;
}

function toAmount({ message }: UnmatchedClearing): number | null {
  return typeof message["amount"] === "number" ? message["amount"] : null;
}

function toMerchantName({ message }: UnmatchedClearing): string | null {
  const merchant: unknown = message["merchant"];
  const name =
    merchant !== null && typeof merchant === "object" ? Reflect.get(merchant, "name") : null;
  return typeof name === "string" ? name : null;
}

async function show({ db }: Installation): Promise<Result> {
  const clearings = await listUnmatched(db);
  const lines = clearings.map((clearing) =>
    [
      clearing.id,
      clearing.createdAt.toISOString(),
      WHAT[clearing.operation].padEnd(9),
      String(toAmount(clearing) ?? "").padStart(12),
      WHY[clearing.reason](clearing),
      [`reference ${clearing.reference}`, toMerchantName(clearing)].filter(Boolean).join(", "),
      ...(canMatch(clearing.operation, clearing.reason) ? [] : ["only to be seen"]),
    ].join("  "),
  );
  const more =
    clearings.length === UNMATCHED_LIST_MAX ? ["There are more; match these first."] : [];
  return {
    text:
      [...lines, ...more].join("\n") ||
      "Everything that the card network reported is in the books.",
    json: clearings.map((clearing) => ({
      id: clearing.id,
      reference: clearing.reference,
      what: WHAT[clearing.operation],
      amount: toAmount(clearing),
      reason: clearing.reason,
      can_match: canMatch(clearing.operation, clearing.reason),
      card_id: clearing.cardId,
      authorization: clearing.authorization,
      booked: toBooked(clearing),
      refusal: toRefusal(clearing),
      message: clearing.message,
      network: clearing.network,
      created_at: clearing.createdAt,
    })),
  };
}

async function match({ db }: Installation, { id, options }: Input): Promise<Result> {
  const cardId = (options["card"] ?? "").toLowerCase();
  const transactionId = (options["transaction"] ?? "").toLowerCase() || null;
  const { transaction } = await inTransaction(db, (tx) =>
    matchClearing(tx, newOrigin(), { id, cardId, transactionId }),
  );
  const { amount, currency } = transaction;
  return {
    text: `Transaction ${transaction.id} records ${formatMoney(amount, currency)} on card ${cardId}. A repeat by the card network gets it as the answer.`,
    json: { id, card_id: cardId, transaction_id: transaction.id },
  };
}

async function dismiss({ db }: Installation, { id }: Input): Promise<Result> {
  const { reference } = await inTransaction(db, async (tx) => {
    const clearing = await lockUnmatched(tx, id);
    await forgetUnmatched(tx, clearing);
    return clearing;
  });
  return {
    text: `${reference} is no longer listed. Nothing was recorded.`,
    json: { id, reference },
  };
}

export const UNMATCHED: readonly Command[] = [
  {
    words: ["unmatched"],
    summary: "List what the card network has sent and the books have not taken",
    options: {},
    run: onInstallation(show),
  },
  {
    words: ["unmatched", "match"],
    summary: "Record such a report on a card",
    takesId: true,
    options: {
      card: { about: "the id of the card" },
      transaction: { about: "for a refund: the id of the purchase", fallback: "" },
    },
    run: onInstallation(match),
  },
  {
    words: ["unmatched", "dismiss"],
    summary: "Take such a report off the list, once it is settled with the card network",
    takesId: true,
    options: {},
    run: onInstallation(dismiss),
  },
];
