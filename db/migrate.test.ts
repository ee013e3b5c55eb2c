import postgres from "postgres";
import { describe, expect, test } from "vitest";
import { MIGRATION_APPLICATION } from "./lock-wait.ts";
import { migrate } from "./migrate.ts";
import { testDatabase, withDatabase } from "./testing/database.ts";
import { applyUntil } from "./testing/earlier-schema.ts";

function connect(url: string, application = "test"): postgres.Sql {
  return postgres(url, {
    max: 1,
    onnotice: () => undefined,
    connection: { application_name: application },
  });
}

test("a migrated database has validated every foreign key", async () => {
  const owner = postgres(testDatabase().ownerUrl, { max: 1, onnotice: () => undefined });
  try {
    expect(
      await owner`select conname from pg_constraint
        where connamespace = 'public'::regnamespace and not convalidated`,
    ).toEqual([]);
  } finally {
    await owner.end();
  }
});

test("migrating again changes nothing, and a database from a newer version is refused in one sentence", async () => {
  const { ownerUrl } = testDatabase();
  await migrate(ownerUrl);
  const owner = connect(ownerUrl);
  try {
    await owner`insert into drizzle.__drizzle_migrations (hash, created_at) values ('future', ${Date.now() + 1e9})`;
    await expect(migrate(ownerUrl)).rejects.toThrow(/^The database was set up by a newer version/u);
  } finally {
    await owner.end();
  }
});

describe("a migration that another session blocks", () => {
  test("ends with a sentence that names the session", async () => {
    await withDatabase("nothing", async ({ ownerUrl }) => {
      const holder = connect(ownerUrl, "nightly dump");
      const [row] = await holder`select pg_advisory_lock(7203118), pg_backend_pid() as pid`;
      await expect(
        migrate(ownerUrl, undefined, { timeoutMs: 500, report: () => undefined }),
      ).rejects.toThrow(
        new RegExp(
          `^The database could not be migrated within 1 s: it is locked by process ${row?.["pid"]} \\(nightly dump, role \\w+, idle, query: select pg_advisory_lock.*\\)\\. End that`,
          "u",
        ),
      );
      await holder.end();
    });
  });

  test("reports which session it is waiting for, and continues once that session is done", async () => {
    await withDatabase("nothing", async ({ ownerUrl }) => {
      const holder = connect(ownerUrl, "nightly dump");
      await holder`select pg_advisory_lock(7203118)`;
      const reported: string[] = [];
      const report = (sentence: string) => {
        reported.push(sentence);
        void holder.end();
      };
      await migrate(ownerUrl, undefined, { timeoutMs: 25_000, report });
      expect(reported).toEqual([
        expect.stringMatching(/^The migration is waiting for process \d+ \(nightly dump, /u),
      ]);
    });
  });
});

describe("the environment of a database from before it was stored", () => {
  test.each([
    [["sandbox"], ["sandbox"]],
    [["sandbox", "live"], ["live"]],
    [[], []],
  ])("with integrators in %o is %o", async (environments, kept) => {
    await withDatabase("nothing", async ({ ownerUrl }) => {
      const owner = connect(ownerUrl);
      const apply = await applyUntil(owner, "installation_identity");
      await owner`insert into installation (id, secret_check) values ('installation', '')`;
      for (const environment of environments) {
        await owner`
          insert into integrators (id, business_name, business_address, domain, email, first_name, last_name,
            contact_number, country, registration_number, currency, environment, api_version)
          values (gen_random_uuid(), '', '', '', '', '', '', '', 'US', '', 'USD', ${environment}, '0.5.0')`;
      }
      await apply();
      const rows = await owner`select environment from installation`;
      expect(rows.map((row) => row["environment"])).toEqual(kept);
      await owner.end();
    });
  });
});

describe("an integrator from before the vouched flag was stored", () => {
  test.each([
    ["live", null, true],
    ["sandbox", { address: null, agent: "floatdeck" }, true],
    ["sandbox", { address: null, agent: "demo" }, true],
    ["sandbox", { address: "192.0.2.1", agent: "floatdeck" }, false],
    ["sandbox", { address: null, agent: null }, false],
    ["sandbox", null, false],
  ])("in %s, registered by %o: vouched is %o, for it and its staff", async (...given) => {
    const [environment, by, vouched] = given;
    await withDatabase("nothing", async ({ ownerUrl }) => {
      const owner = connect(ownerUrl);
      const apply = await applyUntil(owner, "vouched_staff");
      await owner`insert into installation (id, environment, secret_check)
        values ('installation', ${environment}, '')`;
      const [integrator] = await owner`
        insert into integrators (id, business_name, business_address, domain, email, first_name, last_name,
          contact_number, country, registration_number, currency, environment, api_version)
        values (gen_random_uuid(), '', '', '', '', '', '', '', 'US', '', 'USD', ${environment}, '0.5.0')
        returning id`;
      const id = String(integrator?.["id"]);
      await owner`insert into staff (integrator_id, id, email, first_name, last_name, role)
        values (${id}, gen_random_uuid(), 'ada@example.com', '', '', 'owner')`;
      if (by) {
        await owner`insert into audit_log (integrator_id, id, actor, action, target_type, target_id, address, agent, request_id)
          values (${id}, gen_random_uuid(), '{}', 'account.registered', 'account', ${id}, ${by.address}, ${by.agent}, '')`;
      }
      await apply();
      expect(
        await owner`select i.vouched, s.email_vouched from integrators i join staff s on s.integrator_id = i.id`,
      ).toEqual([{ vouched, email_vouched: vouched }]);
      await owner.end();
    });
  });
});

test("sums by day begin again by quarter-hour once no rollup adds to them; every account's time zone is UTC", async () => {
  await withDatabase("nothing", async ({ ownerUrl }) => {
    const [owner, server] = [connect(ownerUrl), connect(ownerUrl)];
    const apply = await applyUntil(owner, "time_zone");
    await owner`
      insert into integrators (id, business_name, business_address, domain, email, first_name, last_name,
        contact_number, country, registration_number, currency, environment, api_version)
      values (gen_random_uuid(), '', '', '', '', '', '', '', 'US', '', 'USD', 'sandbox', '0.5.0')`;
    await owner`insert into transfer_rollups select id, '2026-01-31', 'float_top_up', 5 from integrators`;
    await owner`insert into card_rollups select id, 'active', 1 from integrators`;
    await owner`insert into rollup_checkpoints (xid) values ('5')`;
    await owner`set lock_timeout = 200`;
    await server.begin(async (rollup) => {
      await rollup`select pg_advisory_xact_lock(7203121)`;
      await expect(apply()).rejects.toMatchObject({ code: "55P03" });
    });
    expect(await owner`select amount from transfer_rollups`).toHaveLength(1);
    await apply();
    expect(await owner`select quarter from transfer_rollups`).toEqual([]);
    expect(await owner`select status from card_rollups`).toEqual([]);
    expect(await owner`select xid from rollup_checkpoints`).toEqual([]);
    expect(await owner`select time_zone from integrators`).toEqual([{ time_zone: "UTC" }]);
    await Promise.all([owner.end(), server.end()]);
  });
});

async function isMigrationWaiting(eye: postgres.Sql): Promise<boolean> {
  const waiting = await eye`
    select from pg_stat_activity where datname = current_database()
      and application_name = ${MIGRATION_APPLICATION} and wait_event_type = 'Lock'`;
  return waiting.length > 0;
}

test("a table that another session changes meanwhile, such as a server that builds its indexes, is no failure", async () => {
  await withDatabase("migrated", async ({ ownerUrl, url }) => {
    const [other, eye] = [connect(ownerUrl), connect(ownerUrl)];
    const role = new URL(url).username;
    let migrated = Promise.resolve();
    await other.begin(async (tx) => {
      // A grant changes the row that describes the table, and so does an index that is built.
      await tx`grant select on cards to ${tx(role)}`;
      migrated = migrate(ownerUrl, { name: role }).then(() => undefined);
      await expect
        .poll(() => isMigrationWaiting(eye), { interval: 10, timeout: 20_000 })
        .toBe(true);
    });
    await migrated;
    await Promise.all([other.end(), eye.end()]);
  });
});
