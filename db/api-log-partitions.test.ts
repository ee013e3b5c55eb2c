import path from "node:path";
import postgres from "postgres";
import { expect, test } from "vitest";
import { partitionApiLog } from "./api-log-partitions.ts";
import { doLateWork } from "./late-work.ts";
import { withDatabase } from "#test/database/database.ts";
import { applyUntil } from "#test/database/earlier-schema.ts";

/** The API log of an installation from before it was partitioned, and the servers of that version. */

const LATE = path.join(import.meta.dirname, "migrations/late");
const INTEGRATOR = "01900000-0000-7000-8000-000000000001";
const ROWS = 5_000;
/** An id from which no time can be read. It belongs to no week. */
const ODD = "f3b7a9e2-52a1-4c7e-9d3f-0a1b2c3d4e5f";

interface Earlier {
  owner: postgres.Sql;
  /** Connects as the restricted role, and gives up on a lock after a second. */
  connect(): postgres.Sql;
}

/** A database that the migration has been applied to and that is not converted yet, with rows of the last 31 days. */
async function withEarlierLog(work: (earlier: Earlier) => Promise<void>): Promise<void> {
  await withDatabase("nothing", async ({ url, ownerUrl }) => {
    const owner = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
    const migrate = await applyUntil(owner, "api_log_partitions");
    await owner`
      insert into integrators (id, business_name, business_address, domain, email, first_name, last_name,
        contact_number, country, registration_number, currency, environment, api_version)
      values (${INTEGRATOR}, '', '', '', '', '', '', '', 'US', '', 'USD', 'sandbox', '0.5.0')`;
    const role = owner(new URL(url).username);
    await owner`grant select, insert, update, delete on all tables in schema public to ${role}`;
    await owner`grant select on api_log to public`;
    await migrate();
    await owner`
      insert into api_log (id, integrator_id, method, path, status, duration_ms, request_id, created_at)
      select overlay(api_log_first_id(at)::text placing '7' || substr(gen_random_uuid()::text, 16) from 15)::uuid,
        ${INTEGRATOR}, 'GET', '/cards', 200, 1, 'old', at
      from (
        select now() - interval '31 days' * (1 - n / (${ROWS} + 1.0)) as at from generate_series(1, ${ROWS}::int) as n
      ) as requests`;
    await owner`
      insert into api_log (id, integrator_id, method, path, status, duration_ms, request_id)
      values (${ODD}, ${INTEGRATOR}, 'GET', '/cards', 200, 1, 'odd')`;
    const connect = () => postgres(url, { max: 1, connection: { lock_timeout: 1_000 } });
    await work({ owner, connect });
    await owner.end();
  });
}

/** Logs a request like a server of the version before. */
async function logLikeEarlier(server: postgres.Sql): Promise<void> {
  await server`
    insert into api_log (id, integrator_id, method, path, status, duration_ms, request_id, created_at)
    select overlay(api_log_first_id(clock_timestamp())::text placing '7' || substr(gen_random_uuid()::text, 16) from 15)::uuid,
      ${INTEGRATOR}, 'GET', '/cards', 200, 1, 'new', clock_timestamp()
    on conflict (id) do nothing`;
}

/** Removes a batch of expired rows like a server of the version before. */
async function removeLikeEarlier(server: postgres.Sql, rows: number): Promise<void> {
  await server`
    with expired as (
      select ctid from api_log
      where created_at < statement_timestamp() - interval '30 days'
      order by created_at limit ${rows}
      for update skip locked
    )
    delete from api_log where ctid = any(array(select ctid from expired))`;
}

async function countKept(owner: postgres.Sql): Promise<Record<string, number>> {
  const rows = await owner<{ request_id: string; rows: number }[]>`
    select request_id, count(*)::int as rows from api_log
    where created_at > now() - interval '30 days' + interval '1 hour' group by 1`;
  return Object.fromEntries(rows.map(({ request_id: name, rows: count }) => [name, count]));
}

test("an existing log is partitioned while servers of the version before log and remove; no row of the last 30 days is lost", async () => {
  await withEarlierLog(async ({ owner, connect }) => {
    const before = await countKept(owner);
    expect(before["odd"]).toBe(1);
    const [logging, removing] = [connect(), connect()];
    const over = new AbortController();
    let logged = 0;
    const working = [
      (async () => {
        while (!over.signal.aborted) {
          await logLikeEarlier(logging);
          logged += 1;
        }
      })(),
      (async () => {
        while (!over.signal.aborted) {
          await removeLikeEarlier(removing, 1);
        }
      })(),
    ];
    await doLateWork(owner, LATE);
    const afterwards = logged + 10;
    await expect.poll(() => logged).toBeGreaterThan(afterwards);
    over.abort();
    await Promise.all(working);
    expect(await countKept(owner)).toEqual({ ...before, new: logged });
    await Promise.all([logging.end(), removing.end()]);
  });
});

test("a server of the version before removes expired rows from the partitioned log, and no others", async () => {
  await withEarlierLog(async ({ owner, connect }) => {
    const before = await countKept(owner);
    await doLateWork(owner, LATE);
    const server = connect();
    // The first row of the default partition has the place of an expired row in the first partition.
    await removeLikeEarlier(server, ROWS);
    expect(await countKept(owner)).toEqual(before);
    const [expired] = await owner`
      select count(*)::int as rows from api_log where created_at < now() - interval '30 days'`;
    expect(expired?.["rows"]).toBe(0);
    await server.end();
  });
});

test("a conversion that was interrupted is completed; one that is complete is not repeated", async () => {
  await withEarlierLog(async ({ owner, connect }) => {
    const before = await countKept(owner);
    await owner`select bound_api_log()`;
    await owner`drop index if exists api_log_failures`;
    await doLateWork(owner, LATE);
    const list = () => owner`select * from api_log_partitions() order by ends_at nulls last`;
    const partitions = await list();
    expect(partitions.map(({ name }) => String(name))).toEqual([
      "api_log_earlier",
      "api_log_default",
    ]);
    await doLateWork(owner, LATE);
    expect(await list()).toEqual(partitions);
    expect(await countKept(owner)).toEqual(before);
    const [row] =
      await owner`select tableoid::regclass::text as name from api_log where id = ${ODD}`;
    expect(row?.["name"]).toBe("api_log_default");
    const server = connect();
    await logLikeEarlier(server);
    await server.end();
  });
});

test("the partitioned log has the foreign key, the privileges, and, except for the one by time, the indexes that the table had", async () => {
  await withEarlierLog(async ({ owner }) => {
    const read = async () => ({
      indexes:
        await owner`select indexname, replace(indexdef, ' ON ONLY ', ' ON ') as definition from pg_indexes
        where tablename = 'api_log' and indexname <> 'api_log_age' order by 1`,
      key: await owner`select conname, pg_get_constraintdef(oid) from pg_constraint
        where conrelid = 'api_log'::regclass and contype = 'f'`,
      columns: await owner`select attname, atttypid, attnotnull from pg_attribute
        where attrelid = 'api_log'::regclass and attnum > 0 order by attnum`,
      privileges: await owner`select grantee, privilege_type from pg_class, aclexplode(relacl)
        where oid = 'api_log'::regclass order by 1, 2`,
    });
    await owner.unsafe(
      `create index api_log_failures on api_log (integrator_id, id) where api_log.status >= 400`,
    );
    const before = await read();
    await doLateWork(owner, LATE);
    expect(await read()).toEqual(before);
  });
});

test("servers that start at once make the partitions once, and all of them go on", async () => {
  await withDatabase("nothing", async ({ ownerUrl }) => {
    const owner = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
    const migrate = await applyUntil(owner, "api_log_partitions");
    await migrate();
    const servers = Array.from({ length: 6 }, () =>
      postgres(ownerUrl, { max: 1, onnotice: () => undefined }),
    );
    await Promise.all(servers.map((each) => partitionApiLog(each)));
    const left = await owner`select from pg_constraint where conname = 'api_log_bound'`;
    expect(left).toHaveLength(0);
    await Promise.all([owner, ...servers].map((each) => each.end()));
  });
});
