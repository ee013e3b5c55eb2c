import { and, eq } from "drizzle-orm";
import { vi } from "vitest";
import { openContent } from "#lib/messages/internal/content.ts";
import { messages } from "#db/schema/messages.ts";
import { testDatabase } from "#test/database/database.ts";

/** A message as it was recorded. */
export interface Recorded {
  kind: string;
  email: string;
  subject: string;
  text: string;
  path: string;
}

/** What an account's people were told, oldest first. */
export async function readOutbox(integratorId: string, email?: string): Promise<Recorded[]> {
  const rows = await testDatabase()
    .db.select()
    .from(messages)
    .where(
      and(
        eq(messages.integratorId, integratorId),
        email === undefined ? undefined : eq(messages.email, email),
      ),
    )
    .orderBy(messages.id);
  return rows.map((row) => {
    const { subject, lines, action } = openContent(row.content ?? "", row.id);
    return { kind: row.kind, email: row.email, subject, text: lines.join("\n"), path: action.path };
  });
}

/** Waits for a number of messages to an address. */
export function untilTold(integratorId: string, email: string, count: number): Promise<Recorded[]> {
  return vi.waitUntil(
    async () => {
      const told = await readOutbox(integratorId, email);
      return told.length >= count && told;
    },
    { timeout: 10_000, interval: 10 },
  );
}
