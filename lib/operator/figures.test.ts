import { expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { tamper } from "#test/database/tamper.ts";
import { notified } from "#test/outside/notifications.ts";
import { answer, startReceiver } from "#test/outside/receiver.ts";
import { COUNTED_MAX, readFigures } from "#lib/operator/figures.ts";

async function readOverdue(): Promise<number> {
  return (await readFigures(testDatabase().db)).overdue;
}

/** Adds pending deliveries to an endpoint, due after this interval. */
function addDeliveries(
  endpointId: string,
  { count, dueAfter, lockedBy = "null" }: { count: string; dueAfter: string; lockedBy?: string },
): Promise<void> {
  return tamper(`
    insert into webhook_deliveries (endpoint_id, event_id, event, due_at, locked_by)
    select '${endpointId}', gen_random_uuid(), 'card.credited', now() + interval '${dueAfter}', ${lockedBy}
    from generate_series(1, ${count})`);
}

test("a webhook that waits for a worker is seen behind any backlog, unless its receiver is what it waits for", async () => {
  const receiver = await startReceiver(answer(200));
  const endpoints = [await notified(receiver), await notified(receiver)].map(({ id }) => id);
  const [backlog = "", late = ""] = endpoints.toSorted();
  await tamper("update webhook_deliveries set due_at = now() + interval '1 hour'");
  await addDeliveries(backlog, { count: String(COUNTED_MAX), dueAfter: "1 hour" });
  expect(await readOverdue()).toBe(0);
  await addDeliveries(late, { count: "1", dueAfter: "-10 minutes" });
  expect(await readOverdue()).toBeGreaterThanOrEqual(600);
  // Its receiver hangs: it has all the attempts that it may have.
  await addDeliveries(late, {
    count: `(select in_flight_max from webhook_endpoints where id = '${late}')`,
    dueAfter: "1 hour",
    lockedBy: "gen_random_uuid()",
  });
  expect(await readOverdue()).toBe(0);
  await receiver.stop();
});
