import { getTableColumns, sql } from "drizzle-orm";
import { toReplayedAnswer } from "#lib/api/wire/answer.ts";
import type { Remembered, ReplayKey, ReplayStore, SavedAnswer } from "#lib/api/commit/store.ts";
import { DomainError } from "#lib/base/errors.ts";
import type { Original } from "#lib/processor/originals.ts";
import { mergePersonal, splitPersonal } from "#lib/record/personal-values.ts";
import { transactions } from "#db/schema/transactions.ts";
import type { AuthorizedAs } from "#db/schema/descriptions.ts";
import { OWN_TRANSACTION, processorOperations } from "#db/schema/processor.ts";
import { insertRows } from "#db/insert-rows.ts";
import { pipeline } from "#db/pipeline.ts";
import { markCommit } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";

/** The scope of all references. */
export const PROCESSOR_SCOPE = "processor";

/** A `reference` from the card processor: used once, ever, across all its operations. */
export interface ProcessorReference extends ReplayKey {
  /** The operation's id in the contract. */
  operation: string;
  apiKeyId: string;
  /** The authorization's reference, if the request names the authorization by it. It is claimed, too. */
  authorizationReference: string | null;
  /** The capture, posting, or refund that the request names by its reference, which is claimed, too. */
  original: Original | null;
}

/** The card processor's references. They and their answers are kept forever. */
export const processorReferences: ReplayStore<ProcessorReference> = {
  claim: claimReferences,
  save: saveOperations,
  reused: () =>
    new DomainError(
      "reference_reused",
      "This reference belongs to another operation. A reference can be used only once.",
    ),
};

async function claimReferences(
  tx: Tx,
  keys: readonly ProcessorReference[],
): Promise<ReadonlyMap<string, Remembered>> {
  const references = keys.map(({ name }) => name);
  const claimed = keys.flatMap((key) => toClaimed(key)).toSorted();
  const [claims, rows] = await pipeline([
    lockReferences(tx, claimed),
    // A separate statement: its snapshot must be taken after the locks.
    findOperations(tx, references),
  ]);
  const free = new Set(claims.flatMap((claim) => (claim.free ? claim.reference : [])));
  const remembered = new Map<string, Remembered>(
    keys.map((key) => [
      key.name,
      { state: toClaimed(key).every((each) => free.has(each)) ? "free" : "busy" },
    ]),
  );
  for (const row of rows) {
    if (remembered.get(row.reference)?.state === "free") {
      const { fingerprint, ...answer } = row;
      const body = withText(answer.body, row);
      remembered.set(row.reference, {
        state: "answered",
        fingerprint,
        answer: toReplayedAnswer({ ...answer, body }),
      });
    }
  }
  return remembered;
}

/**
 * A message and the original that it names cannot miss each other: both claim the original's reference before they
 * look.
 */
function toClaimed({ name, authorizationReference, original }: ProcessorReference): string[] {
  return [name, authorizationReference, original?.reference ?? null].filter(
    (reference) => reference !== null,
  );
}

async function lockReferences(tx: Tx, references: readonly string[]) {
  return tx.execute<{ reference: string; free: boolean }>(sql`
    select reference, pg_try_advisory_xact_lock(hashtextextended('processor ' || reference, 0)) as free
    from unnest(${sql.param(references)}::text[]) as reference`);
}

async function findOperations(tx: Tx, references: readonly string[]) {
  return tx
    .select({
      ...getTableColumns(processorOperations),
      narrative: transactions.narrative,
      asReceived: transactions.asReceived,
      authorizedAs: transactions.authorizedAs,
    })
    .from(processorOperations)
    .leftJoin(transactions, OWN_TRANSACTION)
    .where(sql`${processorOperations.reference} = any(${sql.param(references)}::text[])`);
}

async function saveOperations(
  tx: Tx,
  answers: readonly SavedAnswer<ProcessorReference>[],
): Promise<void> {
  if (answers.length === 0) {
    return;
  }
  const [first] = answers;
  markCommit(
    tx,
    sql`exists (select from processor_operations where reference = ${first?.key.name}
      and request_id = ${first?.requestId})`,
  );
  await tx.execute(
    insertRows("processor_operations", answers, {
      reference: ["text", ({ key }) => key.name],
      operation: ["text", ({ key }) => key.operation],
      fingerprint: ["text", ({ key }) => key.fingerprint],
      status: ["smallint", ({ answer }) => answer.status],
      content_type: ["text", ({ answer }) => answer.contentType],
      body: ["text", ({ answer }) => withoutText(answer.body)],
      integrator_id: ["uuid", ({ affected }) => affected.integratorId],
      transaction_id: ["uuid", ({ affected }) => affected.transactionId],
      awaits: ["text", ({ key, affected }) => (affected.left ? key.authorizationReference : null)],
      releases: ["bigint", ({ affected }) => affected.left?.releases ?? null],
      ends_hold: ["boolean", ({ affected }) => affected.left?.endsHold ?? null],
      takes_back: ["text", (answer) => toAwaited(answer)?.reference ?? null],
      takes_back_kind: ["text", (answer) => toAwaited(answer)?.kind ?? null],
      api_key_id: ["uuid", ({ key }) => key.apiKeyId],
      request_id: ["text", ({ requestId }) => requestId],
    }),
  );
}

/** What a reversal will take back once that arrives. */
function toAwaited({ key, affected }: SavedAnswer<ProcessorReference>): Original | null {
  const isReversal = key.operation === "createReversalByReference";
  return isReversal && affected.transactionId === null ? key.original : null;
}

const TEXT = /"(?:narrative":"|as_received":\{)/u;

/** Removes the text: a response is stored forever, and its transaction has the text already. */
function withoutText(body: string): string {
  return TEXT.test(body) ? JSON.stringify(splitPersonal(JSON.parse(body)).kept) : body;
}

type Text = Readonly<Record<"narrative" | "asReceived", unknown>> & {
  authorizedAs: AuthorizedAs | null;
};

/** Restores the stored response as it was sent, without the text once the cardholder is erased. */
function withText(body: string, { narrative, asReceived, authorizedAs }: Text): string {
  if (!body.includes('"narrative":null')) {
    return body;
  }
  // Since then, a clearing may have described the purchase differently.
  const isBefore = authorizedAs !== null && body.includes('"authorized_as":null');
  const text = isBefore ? authorizedAs : { narrative, as_received: asReceived };
  const data = {
    narrative: text.narrative,
    as_received: text.as_received,
    ...(authorizedAs === null || isBefore
      ? {}
      : {
          authorized_as: {
            narrative: authorizedAs.narrative,
            as_received: authorizedAs.as_received,
          },
        }),
  };
  return JSON.stringify(mergePersonal(JSON.parse(body), { data: toGiven(data) }));
}

function toGiven(text: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(text).filter(([, value]) => value !== null));
}
