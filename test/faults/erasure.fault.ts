import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { expect, test } from "vitest";
import { client, rig, useRig } from "./each-rig.ts";

useRig();

const NAME = "Plantedname";
const COPIES = 20_000;
const KILLS = 3;
/** A sweep begins every ten seconds, and the server itself takes a while to start. */
const SWEPT_WITHIN_MS = 120_000;

interface Progress {
  passes: number;
  values: number;
  answers: number;
}

async function ask(method: string, path: string, body?: object): Promise<{ data: { id: string } }> {
  const answer = await fetch(`${rig.baseUrl}${path}`, {
    method,
    headers: { ...client.headers, "Idempotency-Key": crypto.randomUUID() },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!answer.ok) {
    throw new Error(`${method} ${path}: ${await answer.text()}`);
  }
  return (await answer.json()) as { data: { id: string } };
}

/** A cardholder whose name is in very many saved answers, and whose card is closed. */
async function newErasable(sql: postgres.Sql): Promise<string> {
  const { data: user } = await ask(
    "POST",
    `/card-integrators/${client.integratorId}/register-user`,
    {
      first_name: NAME,
      last_name: NAME,
      email: `${NAME}@example.com`,
      phone_number: NAME,
      id_type: "passport",
      id_number: "A1234567",
      address: { city: NAME, country: "GH", line1: NAME },
    },
  );
  const { data: card } = await ask("POST", "/cards/create-virtual-card", {
    user_id: user.id,
    currency: "USD",
    design_type: "midnight",
    single_use: false,
    validity: 30,
    metadata: { name: NAME },
  });
  await ask("POST", `/cards/${card.id}/close`, { comment: NAME });
  await sql`
    insert into idempotent_requests (integrator_id, key, fingerprint, operation, status, content_type, body, request_id)
    select integrator_id, 'copy ' || number, fingerprint, operation, status, content_type, body, request_id
    from idempotent_requests, generate_series(1, ${COPIES}) as number
    where integrator_id = ${client.integratorId} and operation = 'registerUser'`;
  return user.id;
}

async function readProgress(sql: postgres.Sql, userId: string): Promise<Progress> {
  const [row] = await sql<Progress[]>`
    select erasure_passes as passes,
      (select count(*)::int from personal_values where cardholder_id = c.id) as values,
      (select count(*)::int from idempotent_requests where integrator_id = c.integrator_id and body is not null) as answers
    from cardholders c where id = ${userId}`;
  return row ?? { passes: Number.NaN, values: Number.NaN, answers: Number.NaN };
}

async function until(
  sql: postgres.Sql,
  userId: string,
  holds: (progress: Progress) => boolean,
): Promise<Progress> {
  const deadline = Date.now() + SWEPT_WITHIN_MS;
  for (;;) {
    const progress = await readProgress(sql, userId);
    if (holds(progress) || Date.now() > deadline) {
      return progress;
    }
    await sleep(5);
  }
}

/** In which tables the name is still stored. */
async function findStored(sql: postgres.Sql): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`;
  const found: string[] = [];
  for (const { name } of tables) {
    const rows =
      await sql`select from ${sql(name)} as stored where strpos(stored::text, ${NAME}) > 0 limit 1`;
    found.push(...rows.map(() => name));
  }
  return found;
}

test(`${KILLS} times kill -9 of the server while it erases: it goes on, and leaves nothing, not even in the log`, async () => {
  const sql = postgres(rig.database.ownerUrl, { max: 1 });
  const userId = await newErasable(sql);
  expect((await findStored(sql)).length).toBeGreaterThan(2);
  await ask("POST", `/card-integrators/card-users/${userId}/erase`);
  let answers = COPIES;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = answers;
    const interrupted = await until(sql, userId, (progress) => progress.answers < before);
    const gone = once(rig.server, "exit");
    rig.server.kill("SIGKILL");
    await gone;
    expect(interrupted).toMatchObject({ passes: 0, values: 0 });
    ({ answers } = await readProgress(sql, userId));
    expect(answers).toBeGreaterThan(0);
    await rig.restartServer();
  }
  const { passes } = await until(sql, userId, (progress) => progress.passes > 0);
  expect(passes).toBe(1);
  expect(await findStored(sql)).toEqual([]);
  expect(rig.log()).not.toContain(NAME);
  expect(await rig.sweep()).toEqual([]);
  await sql.end();
});
