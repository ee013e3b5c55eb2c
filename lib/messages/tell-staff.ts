import { and, eq, inArray, isNull, or } from "drizzle-orm";
import { recordMessages } from "#lib/messages/record-messages.ts";
import type { MessageKind } from "#lib/messages/internal/message.ts";
import { staff } from "#db/schema/staff.ts";
import type { Tx } from "#db/transaction.ts";

/** What happened, and whom it concerns. */
interface Told<Facts extends object> {
  kind: MessageKind<Facts>;
  facts: Facts;
  /** Null when it concerns nobody in particular. */
  personId: string | null;
}

/** Tells everybody on the staff whom this kind of message is for, in the transaction of what happened. */
export async function tellStaff<Facts extends object>(
  tx: Tx,
  integratorId: string,
  { kind, facts, personId }: Told<Facts>,
): Promise<void> {
  const roles = kind.to.filter((each) => each !== "person");
  const isPerson =
    personId !== null && kind.to.includes("person") ? eq(staff.id, personId) : undefined;
  const to = await tx
    .select({ staffId: staff.id, email: staff.email })
    .from(staff)
    .where(
      and(
        eq(staff.integratorId, integratorId),
        isNull(staff.removedAt),
        or(isPerson, roles.length === 0 ? undefined : inArray(staff.role, roles)),
      ),
    )
    .orderBy(staff.id);
  await recordMessages(tx, integratorId, { kind, facts, aboutId: null, to });
}
