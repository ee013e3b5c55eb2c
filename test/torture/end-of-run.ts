import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import type { Members } from "./members.ts";

/** Only ends a run in which notifications are lost, which the checker then reports. */
const DELIVERED_MS = 60_000;
const LINES_MAX = 3;
const LINE_MAX = 200;

/** Whatever a process did not expect, whether it ended or went on. */
export function findCrashes({ log }: Pick<Members, "log">): string[] {
  const lines = log().match(/^.*failed unexpectedly.*$/gmu) ?? [];
  return lines
    .slice(0, LINES_MAX)
    .map((line) => `nothing fails unexpectedly: ${line.slice(0, LINE_MAX)}`);
}

/** Resolves when no webhook is left to be delivered. */
export async function waitUntilDelivered({ ownerUrl }: { ownerUrl: string }): Promise<void> {
  const sql = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  const deadline = performance.now() + DELIVERED_MS;
  try {
    while (performance.now() < deadline) {
      const [row] = await sql`
          select count(*)::int as waiting from webhook_deliveries
          join webhook_endpoints e on e.id = endpoint_id and e.deleted_at is null
          where state <> 'delivered'`;
      if (row?.["waiting"] === 0) {
        return;
      }
      await sleep(200);
    }
  } finally {
    await sql.end({ timeout: 1 });
  }
}
