import type { z } from "zod";
import { toBulkRequest } from "#lib/api/wire/bulk-request.ts";
import { cardFunds } from "#lib/api/wire/card-funds.ts";
import type { Approved } from "#lib/approvals/decide-approval.ts";
import { exemptApiKey } from "#lib/approvals/exempt-api-key.ts";
import { requireScope } from "#lib/base/require-scope.ts";
import type { Member } from "#lib/base/actor.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { DomainError, isDomainError } from "#lib/base/errors.ts";
import { createBulkJob } from "#lib/bulk/bulk-jobs.ts";
import { toLiftable } from "#lib/cards/freeze-rights.ts";
import { closeCard } from "#lib/funds/close-card.ts";
import { moveFunds } from "#lib/funds/funds.ts";
import type { FundsRequest } from "#lib/funds/funds.ts";
import { replaceCard } from "#lib/funds/replace-card.ts";
import { performOne } from "#lib/group-commit/batch.ts";
import { parseSettings } from "#lib/integrators/account-resource.ts";
import { updateSettings } from "#lib/integrators/integrators.ts";
import { exemptApiKey as exemptOperation } from "#lib/operations/access/exempt-api-key.ts";
import { updateSettings as settingsOperation } from "#lib/operations/account/update-settings.ts";
import { createBulkJob as jobOperation } from "#lib/operations/bulk/create-bulk-job.ts";
import { closeCard as closeOperation } from "#lib/operations/cards/close-card.ts";
import { replaceCard as replaceOperation } from "#lib/operations/cards/replace-card.ts";
import { creditCard } from "#lib/operations/funds/credit-card.ts";
import { debitCard } from "#lib/operations/funds/debit-card.ts";
import { topUpCard } from "#lib/operations/funds/top-up-card.ts";
import { topUpFloat } from "#lib/operations/funds/top-up-float.ts";
import type { Operation } from "#lib/operations/operation.ts";
import { changeRole as roleOperation } from "#lib/operations/staff/change-role.ts";
import { inviteStaff as inviteOperation } from "#lib/operations/staff/invite-staff.ts";
import { makePasswordReset as resetOperation } from "#lib/operations/staff/make-password-reset.ts";
import { changeRole } from "#lib/staff/staff.ts";
import { inviteStaff, makePasswordReset } from "#lib/staff/staff-links.ts";

/** The original request, as its route reads it, and who made it. */
interface Asked<Body> {
  id: string;
  body: Body;
  requester: Member;
}

/** An operation that can be approved, and how to perform it then: as its route does, but without an answer. */
interface Performed {
  operation: Operation;
  perform: (ctx: WriteContext, asked: Asked<unknown>) => Promise<unknown>;
}

function performed<B extends z.ZodType>(
  operation: Operation<z.ZodType, B>,
  perform: (ctx: WriteContext, asked: Asked<z.output<B>>) => Promise<unknown>,
): Performed {
  const { body: schema } = operation;
  return {
    operation,
    perform: (ctx, { body, ...asked }) =>
      // Without a body schema, B is never, so no one reads it.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      perform(ctx, { ...asked, body: (schema ? schema.parse(body) : undefined) as z.output<B> }),
  };
}

const moved =
  <Body>(toRequest: (input: { body: Body }) => Omit<FundsRequest, "actor" | "request">) =>
  (ctx: WriteContext, asked: Asked<Body>) =>
    performOne(ctx.tx, moveFunds, { ...toRequest(asked), ...toCaller(ctx) });

function toCaller({ tx: _tx, ...caller }: WriteContext) {
  return caller;
}

/**
 * Every operation that declares `approval`. A one-time link is only mailed to its person, because anyone who saw it
 * could act as them.
 */
const PERFORMED: readonly Performed[] = [
  performed(creditCard, moved(cardFunds("credit").toRequest)),
  performed(debitCard, moved(cardFunds("debit").toRequest)),
  performed(topUpCard, moved(cardFunds("credit").toRequest)),
  performed(
    topUpFloat,
    moved(({ body }) => ({ kind: "top-up", amount: body.amount })),
  ),
  performed(closeOperation, (ctx, { id, body }) => closeCard(ctx, id, body)),
  performed(replaceOperation, (ctx, { id, body, requester }) => {
    if (body.move_balance) {
      requireScope(requester, "funds:write");
    }
    const { move_balance: moveBalance, comment } = body;
    return replaceCard(ctx, id, { moveBalance, comment, mayLift: toLiftable(requester) });
  }),
  performed(jobOperation, (ctx, { body, requester }) =>
    createBulkJob(ctx, toBulkRequest(requester, body)),
  ),
  performed(settingsOperation, (ctx, { body }) => updateSettings(ctx, parseSettings(body))),
  performed(roleOperation, (ctx, { id, body }) => changeRole(ctx, id, body.role)),
  performed(inviteOperation, (ctx, { body }) => inviteStaff(ctx, body)),
  performed(resetOperation, (ctx, { id }) => makePasswordReset(ctx, id)),
  performed(exemptOperation, (ctx, { id }) => exemptApiKey(ctx, id)),
];

/** The operations that can be approved. */
export const APPROVABLE: readonly Operation[] = PERFORMED.map(({ operation }) => operation);

/**
 * Performs an approved request as its requester.
 * @throws DomainError `requester_insufficient` if the requester lacks a right for it now; otherwise its refusal.
 */
export async function performApproved({ ctx, requester, approval }: Approved): Promise<void> {
  const found = PERFORMED.find(({ operation }) => operation.id === approval.operation);
  if (!found) {
    throw new Error(`${approval.operation} cannot be approved.`);
  }
  const { operation, perform } = found;
  const id = approval.targetId ?? "";
  try {
    if (operation.scope) {
      requireScope(requester, operation.scope);
    }
    await perform(ctx, { id, body: approval.request, requester });
  } catch (error) {
    throw isDomainError(error) && RIGHTS.has(error.code) ? toInsufficient(error) : error;
  }
}

/** The refusals of a caller who lacks a right. Shown to the approver, they would be misleading. */
const RIGHTS: ReadonlySet<string> = new Set(["scope_missing", "role_insufficient"]);

function toInsufficient({ detail }: DomainError): DomainError {
  return new DomainError(
    "requester_insufficient",
    `Whoever asked for this may not do it anymore. ${detail}`,
  );
}
