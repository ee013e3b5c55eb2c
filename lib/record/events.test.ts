import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { freezeCard, newCard, newIntegrator, newOrigin, write } from "#test/scene/fixtures.ts";
import { updateAccount } from "#lib/integrators/integrators.ts";
import { resumeIntegrator, suspendIntegrator } from "#lib/operator/suspension.ts";
import { sendTest } from "#lib/webhooks/endpoints.ts";

test("a card, a float, a cardholder, and an account each count their events without a gap", async () => {
  const { db } = testDatabase();
  const integrator = await newIntegrator(1_000);
  const card = await newCard(integrator, 100);
  await write(integrator, (ctx) => freezeCard(ctx, card.id, { reason: null, comment: null }));
  await write(integrator, (ctx) => updateAccount(ctx, { webhookUrl: "http://127.0.0.1:41099/" }));
  await write(integrator, sendTest);
  await suspendIntegrator(db, { request: newOrigin(), id: integrator.id });
  await resumeIntegrator(db, { request: newOrigin(), id: integrator.id });
  const counted = await db.execute(sql`
    select subject_type as type, count(*)::int as events, max(sequence)::int as last,
      max(coalesce(a.event_sequence, h.event_sequence, i.event_sequence))::int as counter
    from events e
    left join ledger_accounts a on a.integrator_id = e.integrator_id and a.id = e.subject_id
    left join cardholders h on h.integrator_id = e.integrator_id and h.id = e.subject_id
    left join integrators i on i.id = e.integrator_id and i.id = e.subject_id
    where e.integrator_id = ${integrator.id} group by subject_type, subject_id order by subject_type`);
  expect([...counted]).toEqual([
    { type: "account", events: 5, last: 5, counter: 5 },
    { type: "card", events: 3, last: 3, counter: 3 },
    { type: "cardholder", events: 1, last: 1, counter: 1 },
    { type: "float", events: 1, last: 1, counter: 1 },
  ]);
});
