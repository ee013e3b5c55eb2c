import { and, eq, inArray, sql } from "drizzle-orm";
import { readMoment } from "#lib/base/moment.ts";
import { wakeMailers } from "#lib/base/wake.ts";
import { sealContent } from "#lib/messages/internal/content.ts";
import { toHarmlessText } from "#lib/messages/internal/harmless-text.ts";
import type { MessageKind } from "#lib/messages/internal/message.ts";
import { insertRows } from "#db/insert-rows.ts";
import { integrators } from "#db/schema/integrators.ts";
import { messages } from "#db/schema/messages.ts";
import { markCommit, onCommit } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";

/** Who gets a message. */
export interface Recipient {
  /** Null for somebody who is not on the staff yet. */
  staffId: string | null;
  email: string;
}

/** A message about to be recorded. */
export interface MessageDraft<Facts extends object> {
  kind: MessageKind<Facts>;
  /** Texts are made harmless, except for a `path`, which leads to a page. */
  facts: Facts;
  /** The record that it is about, by which it can be withdrawn. */
  aboutId: string | null;
  to: readonly Recipient[];
  /** When it is sent; at once if that is past or omitted. */
  dueAt?: Date | undefined;
}

/**
 * Records a message to each recipient in the transaction of what happened. The commit wakes the mailer of this process,
 * which sends it. Nothing else writes to the outbox.
 */
export async function recordMessages<Facts extends object>(
  tx: Tx,
  integratorId: string,
  { kind, facts, aboutId, to, dueAt }: MessageDraft<Facts>,
): Promise<void> {
  if (to.length === 0) {
    return;
  }
  const { at, newId } = await readMoment(tx);
  const [account] = await tx
    .select({ businessName: integrators.businessName, currency: integrators.currency })
    .from(integrators)
    .where(eq(integrators.id, integratorId));
  if (!account) {
    throw new Error(`Integrator ${integratorId} does not exist.`);
  }
  const written = kind.write(toHarmlessFacts({ ...facts, ...account }));
  const rows = to.map((recipient) => ({ ...recipient, id: newId() }));
  markCommit(
    tx,
    sql`exists (select from messages where integrator_id = ${integratorId} and id = ${rows[0]?.id})`,
  );
  await tx.execute(
    insertRows("messages", rows, {
      integrator_id: ["uuid", () => integratorId],
      id: ["uuid", ({ id }) => id],
      kind: ["text", () => kind.kind],
      staff_id: ["uuid", ({ staffId }) => staffId],
      email: ["text", ({ email }) => email],
      about_id: ["uuid", () => aboutId],
      content: ["text", ({ id }) => sealContent(written, id)],
      due_at: ["timestamptz", () => (dueAt && dueAt > at ? dueAt : at)],
      created_at: ["timestamptz", () => at],
    }),
  );
  onCommit(tx, wakeMailers);
}

/** The same facts with harmless texts. */
function toHarmlessFacts<Facts extends object>(facts: Facts): Facts {
  const entries = Object.entries(facts).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === "string" && name !== "path" ? toHarmlessText(value) : value,
  ]);
  // Each member keeps its type.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(entries) as Facts;
}

/** Withdraws unsent messages about these records, for example because their links no longer work. */
export async function withdrawMessages(
  tx: Tx,
  integratorId: string,
  records: readonly { id: string }[],
): Promise<void> {
  if (records.length === 0) {
    return;
  }
  await tx
    .update(messages)
    .set({ state: "withdrawn", isClaimed: false, content: null })
    .where(
      and(
        eq(messages.integratorId, integratorId),
        inArray(
          messages.aboutId,
          records.map(({ id }) => id),
        ),
        inArray(messages.state, ["waiting", "kept"]),
      ),
    );
}
