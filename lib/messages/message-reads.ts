import { and, desc, eq, getTableColumns, lt, sql } from "drizzle-orm";
import { requireStaff } from "#lib/base/require-scope.ts";
import type { ReadContext } from "#lib/base/context.ts";
import { isId } from "#lib/base/ids.ts";
import { env } from "#lib/base/env.ts";
import { requireCursor, toPage } from "#lib/base/paging.ts";
import type { Page } from "#lib/base/paging.ts";
import { openContent } from "#lib/messages/internal/content.ts";
import { toFramed } from "#lib/messages/internal/frame.ts";
import type { Framed } from "#lib/messages/internal/frame.ts";
import type { MessageState } from "#lib/messages/message-states.ts";
import { integrators } from "#db/schema/integrators.ts";
import { messages } from "#db/schema/messages.ts";

/** A message to a person, and what became of it. */
export interface SentMessage {
  id: string;
  kind: string;
  email: string;
  state: MessageState;
  /** Why the last attempt failed, in the mail server's words; null if it did not. */
  failure: string | null;
  /** Its text. Kept only in a sandbox's outbox. Also null for others' messages while moves need a second person. */
  framed: Framed | null;
  createdAt: Date;
  sentAt: Date | null;
}

/** Which messages to list. */
export interface MessageFilter {
  email?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** Messages of the last 30 days, newest first: all of the account for owners, and their own for everybody else. */
export async function listMessages(
  ctx: ReadContext,
  { email, limit, cursor: given }: MessageFilter,
): Promise<Page<SentMessage>> {
  const cursor = requireCursor(given);
  const rows = await ctx.db
    .select({ ...getTableColumns(messages), isWithheld: isWithheld(ctx) })
    .from(messages)
    .where(
      and(
        eq(messages.integratorId, ctx.actor.integratorId),
        mayRead(ctx),
        email === undefined ? undefined : sql`lower(${messages.email}) = ${email.toLowerCase()}`,
        cursor ? lt(messages.id, cursor) : undefined,
      ),
    )
    .orderBy(desc(messages.id))
    .limit(limit + 1);
  return toPage<SentMessage>(rows.map(toSentMessage), limit, (row) => row.id);
}

/** Undefined for an id that is unknown, malformed, or of a message that the person may not read. */
export async function findMessage(ctx: ReadContext, id: string): Promise<SentMessage | undefined> {
  const [row] = isId(id)
    ? await ctx.db
        .select({ ...getTableColumns(messages), isWithheld: isWithheld(ctx) })
        .from(messages)
        .where(
          and(eq(messages.integratorId, ctx.actor.integratorId), eq(messages.id, id), mayRead(ctx)),
        )
    : [];
  return row && toSentMessage(row);
}

/** A message may have a link with which anybody could sign in as its recipient. Owners could create one themselves. */
function mayRead({ actor }: ReadContext) {
  const { id, role } = requireStaff(actor);
  return role === "owner" ? undefined : eq(messages.staffId, id);
}

/** While moves need a second person, nobody sees a link with which they could act as one. */
function isWithheld({ actor }: ReadContext) {
  return sql<boolean>`${messages.staffId} is distinct from ${requireStaff(actor).id} and exists (
    select from ${integrators} where ${integrators.id} = ${actor.integratorId} and ${integrators.approval} is not null)`;
}

function toSentMessage(row: typeof messages.$inferSelect & { isWithheld: boolean }): SentMessage {
  const { id, kind, email, state, lastAnswer, content, createdAt, sentAt } = row;
  const isOpen = state === "kept" && content !== null && !row.isWithheld;
  return {
    id,
    kind,
    email,
    state,
    failure: lastAnswer,
    framed: isOpen ? toFramed(openContent(content, id), env().publicUrl) : null,
    createdAt,
    sentAt,
  };
}
