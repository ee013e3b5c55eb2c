import type { SQL } from "drizzle-orm";
import { STORED_EVENT, toEventBody } from "#lib/record/event-body.ts";
import { listAudit } from "#lib/record/audit.ts";
import { events } from "#db/schema/events.ts";
import type { TestIntegrator } from "./fixtures.ts";
import { testDatabase } from "../database/database.ts";

/** An event as it is sent, and its `body`, byte for byte. */
export interface Recorded {
  event: string;
  sequence: number;
  data: Record<string, unknown>;
  previous: Record<string, unknown> | null;
  body: string;
}

/**
 * The recorded events that meet a condition, by sequence. Not from the feed, which lists an event only once no older
 * transaction of the PostgreSQL server can precede it.
 */
export async function readRecorded(condition: SQL | undefined): Promise<Recorded[]> {
  const rows = await testDatabase()
    .db.select(STORED_EVENT)
    .from(events)
    .where(condition)
    .orderBy(events.sequence, events.id);
  return rows.map((row) => {
    const body = toEventBody(row);
    return { ...JSON.parse(body), body };
  });
}

/** What the audit log says of a card or a cardholder, oldest first. */
export async function readAudit(
  { actor }: Pick<TestIntegrator, "actor">,
  filter: { targetId: string; action?: string },
) {
  const { rows } = await listAudit({ db: testDatabase().db, actor }, { ...filter, limit: 100 });
  return rows.toReversed();
}
