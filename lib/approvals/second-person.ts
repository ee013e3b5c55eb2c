import { and, eq, gt, inArray, sql } from "drizzle-orm";
import type { Caller, WriteContext } from "#lib/base/context.ts";
import { DomainError } from "#lib/base/errors.ts";
import { readMoment } from "#lib/base/moment.ts";
import { formatMoney } from "#lib/base/money.ts";
import { HeldUp } from "#lib/approvals/held-up.ts";
import { isUnderRule } from "#lib/approvals/keys-under-rule.ts";
import type { IntegratorAccounts } from "#lib/ledger/accounts.ts";
import { NOW } from "#db/schema/columns.ts";
import { unapprovedMoves } from "#db/schema/approvals.ts";
import { apiKeys, integrators } from "#db/schema/integrators.ts";
import type { StoredApproval } from "#db/schema/approval-rule.ts";
import { staff } from "#db/schema/staff.ts";
import { insertRows } from "#db/insert-rows.ts";
import type { Tx } from "#db/transaction.ts";

/** How long a person's moves without approval count toward the threshold. */
const COUNTED_HOURS = 24;

/** What one request is about to move. */
export interface Moving {
  caller: Caller;
  /** In minor units. */
  amount: number;
  cards: readonly string[];
  /**
   * Members of the request that are fixed at their current values for a later decision, such as the amount of `"all"`.
   */
  fixed?: Readonly<Record<string, unknown>>;
}

/** The rule of an account: null when nobody else has to approve anything. */
type Rule = Pick<IntegratorAccounts, "integratorId" | "currency" | "approval">;

/**
 * Decides whether somebody else must approve moves; no other code does. Call it with the float locked, and before
 * anything is written. What a person has moved in the last 24 hours counts, so that a large move cannot be split into
 * small ones. Without a threshold, it sends no query.
 * @throws HeldUp if somebody else must. DomainError `approval_outdated` if the request was approved, and would now move
 * more.
 */
export async function requireSecondPerson(
  tx: Tx,
  rule: Rule,
  moving: readonly Moving[],
): Promise<void> {
  moving.forEach((each) => requireWithin(rule, each));
  const asked = moving.filter(({ caller, amount }) => amount > 0 && isSubject(caller));
  if (rule.approval === null || asked.length === 0) {
    return;
  }
  const people = await findPeople(tx, rule, asked);
  const counting = asked.flatMap((each) => {
    const staffId = people.get(each.caller.actor.ref.id ?? "");
    return staffId === undefined ? [] : { ...each, staffId };
  });
  const totals = await readTotals(tx, rule, [...new Set(counting.map(({ staffId }) => staffId))]);
  for (const { staffId, amount, cards, fixed } of counting) {
    const total = (totals.get(staffId) ?? 0) + amount;
    totals.set(staffId, total);
    if (total >= rule.approval.threshold) {
      // The requests of a batch are then decided one at a time.
      throw new HeldUp({ requesterId: staffId, amount, cards, fixed });
    }
  }
  await count(tx, rule, counting);
}

/** Whether a move may need approval: by people and API keys only, not by the card network or the server itself. */
function isSubject({ actor, clearance }: Caller): boolean {
  return clearance === undefined && (actor.ref.type === "staff" || actor.ref.type === "api_key");
}

function requireWithin({ currency }: Rule, { caller: { clearance }, amount }: Moving): void {
  if (typeof clearance === "object" && amount > (clearance.upTo ?? 0)) {
    const [asked, now] = [clearance.upTo ?? 0, amount].map((each) => formatMoney(each, currency));
    throw new DomainError(
      "approval_outdated",
      `This request was for ${asked} and would now move ${now}. Reject it, and have it made again.`,
    );
  }
}

/**
 * Finds the person behind each move, by the id of its actor. A key's moves count as those of the person who made it, or
 * of the first owner if registration made it. Keys that the rule does not apply to are absent.
 */
async function findPeople(
  tx: Tx,
  { integratorId, approval }: Rule,
  moving: readonly Moving[],
): Promise<ReadonlyMap<string, string>> {
  const refs = moving.flatMap(({ caller: { actor } }) =>
    actor.ref.id === null ? [] : { id: actor.ref.id, type: actor.ref.type },
  );
  const people = new Map(refs.flatMap(({ id, type }) => (type === "staff" ? [[id, id]] : [])));
  const keys = refs.flatMap(({ id, type }) => (type === "api_key" ? id : []));
  if (keys.length > 0 && approval) {
    const firstOwner = sql`(select min(${staff.id}::text)::uuid from ${staff} where ${staff.integratorId} = ${integratorId})`;
    const rows = await tx
      .select({ id: apiKeys.id, staffId: sql<string>`coalesce(${apiKeys.makerId}, ${firstOwner})` })
      .from(apiKeys)
      .where(
        and(
          eq(apiKeys.integratorId, integratorId),
          inArray(apiKeys.id, keys),
          approval.for_keys ? undefined : isUnderRule(approval.since),
        ),
      );
    rows.forEach(({ id, staffId }) => people.set(id, staffId));
  }
  return people;
}

/** What each person has moved without approval in the last 24 hours. */
async function readTotals(
  tx: Tx,
  { integratorId }: Rule,
  staffIds: readonly string[],
): Promise<Map<string, number>> {
  if (staffIds.length === 0) {
    return new Map();
  }
  const rows = await tx
    .select({
      staffId: unapprovedMoves.staffId,
      total: sql<number>`sum(${unapprovedMoves.amount})::float8`,
    })
    .from(unapprovedMoves)
    .where(
      and(
        eq(unapprovedMoves.integratorId, integratorId),
        inArray(unapprovedMoves.staffId, [...staffIds]),
        gt(unapprovedMoves.createdAt, sql`${NOW} - make_interval(hours => ${COUNTED_HOURS})`),
      ),
    )
    .groupBy(unapprovedMoves.staffId);
  return new Map(rows.map(({ staffId, total }) => [staffId, total]));
}

async function count(
  tx: Tx,
  { integratorId }: Rule,
  counting: readonly { staffId: string; amount: number }[],
): Promise<void> {
  if (counting.length === 0) {
    return;
  }
  const { newId } = await readMoment(tx);
  await tx.execute(
    insertRows("unapproved_moves", counting, {
      integrator_id: ["uuid", () => integratorId],
      id: ["uuid", () => newId()],
      staff_id: ["uuid", ({ staffId }) => staffId],
      amount: ["bigint", ({ amount }) => amount],
    }),
  );
}

/**
 * Requires a second person for a change of who can approve, or of when they must, while the account has a threshold.
 * Locks the rule until the transaction ends, so that nobody can switch it on in the meantime.
 * @throws HeldUp if somebody else must approve it.
 */
export async function requireSecondPersonForTrust(ctx: WriteContext): Promise<void> {
  if (ctx.clearance === undefined && (await lockRule(ctx)) !== null) {
    throw toHeldTrust(ctx);
  }
}

/** The refusal of a change that moves nothing, and that the caller, a person, may not make alone. */
export function toHeldTrust({ actor }: WriteContext): HeldUp {
  return new HeldUp({ requesterId: actor.ref.id ?? "", amount: null, cards: [] });
}

/** Reads the account's rule, and locks it until the transaction ends. */
export async function lockRule({ tx, actor }: WriteContext): Promise<StoredApproval | null> {
  const [row] = await tx
    .select({ approval: integrators.approval })
    .from(integrators)
    .where(eq(integrators.id, actor.integratorId))
    .for("no key update");
  return row?.approval ?? null;
}
