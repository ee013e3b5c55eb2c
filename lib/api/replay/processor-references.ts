import { sql } from "drizzle-orm";
import { toReplayedAnswer } from "#lib/api/wire/answer.ts";
import type { Remembered, ReplayKey, ReplayStore, SavedAnswer } from "#lib/api/replay/store.ts";
import { DomainError } from "#lib/base/errors.ts";
import { processorOperations } from "#db/schema/processor.ts";
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
  const references = keys.map(({ name }) => name).toSorted();
  const [claims, rows] = await pipeline([
    lockReferences(tx, references),
    // A separate statement: its snapshot must be taken after the locks.
    findOperations(tx, references),
  ]);
  const remembered = new Map<string, Remembered>(
    claims.map(({ reference, free }) => [reference, { state: free ? "free" : "busy" }]),
  );
  for (const row of rows) {
    if (remembered.get(row.reference)?.state === "free") {
      const { fingerprint } = row;
      remembered.set(row.reference, {
        state: "answered",
        fingerprint,
        answer: toReplayedAnswer(row),
      });
    }
  }
  return remembered;
}

async function lockReferences(tx: Tx, references: readonly string[]) {
  return tx.execute<{ reference: string; free: boolean }>(sql`
    select reference, pg_try_advisory_xact_lock(hashtextextended('processor ' || reference, 0)) as free
    from unnest(${sql.param(references)}::text[]) as reference`);
}

async function findOperations(tx: Tx, references: readonly string[]) {
  return tx
    .select()
    .from(processorOperations)
    .where(sql`${processorOperations.reference} = any(${sql.param(references)}::text[])`);
}

async function saveOperations(
  tx: Tx,
  answers: readonly SavedAnswer<ProcessorReference>[],
): Promise<void> {
  if (answers.length === 0) {
    return;
  }
  const column = <T>(read: (row: SavedAnswer<ProcessorReference>) => T) =>
    sql.param(answers.map(read));
  const [first] = answers;
  markCommit(
    tx,
    sql`exists (select from processor_operations where reference = ${first?.key.name}
      and request_id = ${first?.requestId})`,
  );
  await tx.execute(sql`
    insert into processor_operations (reference, operation, fingerprint, status, content_type, body, integrator_id,
      transaction_id, api_key_id, request_id)
    select * from unnest(
      ${column(({ key }) => key.name)}::text[],
      ${column(({ key }) => key.operation)}::text[],
      ${column(({ key }) => key.fingerprint)}::text[],
      ${column(({ answer }) => answer.status)}::smallint[],
      ${column(({ answer }) => answer.contentType)}::text[],
      ${column(({ answer }) => answer.body)}::text[],
      ${column(({ affected }) => affected.integratorId)}::uuid[],
      ${column(({ affected }) => affected.transactionId)}::uuid[],
      ${column(({ key }) => key.apiKeyId)}::uuid[],
      ${column(({ requestId }) => requestId)}::text[]
    )`);
}
