import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { afterEach, describe, expect, test, vi } from "vitest";
import { withDatabase } from "#test/database/database.ts";
import { readEnv } from "#lib/base/env.ts";
import { openDatabase } from "#db/client.ts";
import type { Db } from "#db/client.ts";

const OLD = "a secret for nothing but this test run";
const NEW = "another secret for tests that is long enough";
const SANDBOX = readEnv({});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.resetModules();
});

/** The modules of a process that was started with this list of secrets. */
async function startedWith(...secrets: string[]) {
  vi.stubEnv("FLOATDECK_SECRET", secrets.join(","));
  vi.resetModules();
  const seal = await import("#lib/base/seal.ts");
  const { requireSameInstallation } = await import("#lib/operator/installation.ts");
  const { joinInstallation } = await import("#lib/operator/processes.ts");
  const { rotateSecret } = await import("#lib/operator/secret-rotation.ts");
  // A process reads its environment once, on first use.
  seal.toSecretChecks();
  return { ...seal, requireSameInstallation, joinInstallation, rotateSecret };
}

/** One database of its own, and a connection that may write anything. */
interface Place {
  db: Db;
  owner: postgres.Sql;
}

function inPlace<T>(work: (place: Place) => Promise<T>): Promise<T> {
  return withDatabase("migrated", async ({ url, ownerUrl }) => {
    const opened = openDatabase(url, { max: 4 });
    const owner = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
    try {
      await owner`set session_replication_role = replica`;
      return await work({ db: opened.db, owner });
    } finally {
      await owner.end();
      await opened.close();
    }
  });
}

type Started = Awaited<ReturnType<typeof startedWith>>;

/** Stores one value of each kind, and a stored response that is not sealed. */
async function store(
  { owner }: Place,
  { seal }: Started,
): Promise<Record<"id" | "staffId" | "furtherId", string>> {
  const [id, staffId, furtherId] = [randomUUID(), randomUUID(), randomUUID()];
  await owner`
    insert into webhook_endpoints (id, integrator_id, secret)
    values (${id}, ${id}, ${seal("current", "signing secret", id)})`;
  await owner`
    insert into webhook_endpoints (id, integrator_id, place, events, secret, headers)
    values (${furtherId}, ${id}, 2, '{card.frozen}', ${seal("further", "signing secret", furtherId)},
      ${seal("headers", "webhook headers", furtherId)})`;
  await owner`
    insert into webhook_previous_secrets (endpoint_id, id, secret)
    values (${id}, ${randomUUID()}, ${seal("previous", "signing secret", id)})`;
  await owner`
    insert into staff (integrator_id, id, email, first_name, last_name, role, totp_secret)
    values (${id}, ${staffId}, ${`${staffId}@x.example`}, '', '', 'owner', ${seal("factor", "second factor", staffId)})`;
  await owner`
    insert into messages (integrator_id, id, kind, email, content)
    values (${id}, ${staffId}, 'password.link', 'a@x.example', ${seal("message", "message", staffId)})`;
  await storeAnswers({ owner }, id, ["{}", `sealed ${seal("answer", "kept answer", id)}`]);
  return { id, staffId, furtherId };
}

async function storeAnswers({ owner }: Pick<Place, "owner">, id: string, bodies: string[]) {
  const keys = bodies.map((_body, place) => `key ${String(place).padStart(5, "0")}`);
  await owner`
    insert into idempotent_requests (integrator_id, key, fingerprint, status, content_type, body, request_id)
    select ${id}, key, '', 200, '', body, '' from unnest(${keys}::text[], ${bodies}::text[]) as given (key, body)`;
}

/** Opens everything that `store` stored. */
async function readAll(
  { owner }: Place,
  { unseal }: Started,
  { id, staffId, furtherId }: Record<"id" | "staffId" | "furtherId", string>,
): Promise<string[]> {
  const [
    row = {
      secret: "",
      previous: "",
      further: "",
      headers: "",
      factor: "",
      message: "",
      answer: "",
    },
  ] = await owner<
    Record<
      "secret" | "previous" | "further" | "headers" | "factor" | "message" | "answer",
      string
    >[]
  >`
    select e.secret, p.secret as previous, o.secret as further, o.headers, s.totp_secret as factor,
      m.content as message, r.body as answer
    from messages m, webhook_endpoints e, webhook_endpoints o, webhook_previous_secrets p, staff s, idempotent_requests r
    where m.integrator_id = ${id} and e.id = ${id} and o.id = ${furtherId} and p.endpoint_id = ${id} and s.id = ${staffId} and r.integrator_id = ${id} and r.body <> '{}'`;
  return [
    unseal(row.secret, "signing secret", id),
    unseal(row.previous, "signing secret", id),
    unseal(row.further, "signing secret", furtherId),
    unseal(row.headers, "webhook headers", furtherId),
    unseal(row.factor, "second factor", staffId),
    unseal(row.message, "message", staffId),
    unseal(row.answer.slice("sealed ".length), "kept answer", id),
  ];
}

const EVERYTHING = ["current", "previous", "further", "headers", "factor", "message", "answer"];
const ONE_OF_EACH = {
  "webhook signing secrets": 3,
  "webhook headers": 1,
  "second factors": 1,
  messages: 1,
  "stored responses": 1,
};
const NONE = {
  "webhook signing secrets": 0,
  "webhook headers": 0,
  "second factors": 0,
  messages: 0,
  "stored responses": 0,
};

/** Starts a process, as `bin/start.ts` does. */
async function join(db: Db, started: Started) {
  await started.requireSameInstallation(db, SANDBOX);
  return started.joinInstallation(db, "server");
}

test("a secret is rotated in three steps, and at each of them everything opens", async () => {
  await inPlace(async (place) => {
    const { db } = place;
    const before = await startedWith(OLD);
    const first = await join(db, before);
    const stored = await store(place, before);

    const opening = await startedWith(OLD, NEW);
    const second = await join(db, opening);
    await first.leave();

    const sealing = await startedWith(NEW, OLD);
    const third = await join(db, sealing);
    await expect(join(db, before)).rejects.toThrow("lacks a secret that this database still needs");
    const fresh = await store(place, sealing);
    expect(await readAll(place, opening, fresh)).toEqual(EVERYTHING);
    expect(await readAll(place, sealing, stored)).toEqual(EVERYTHING);
    await second.leave();

    const after = await startedWith(NEW);
    await expect(join(db, after)).rejects.toThrow("lacks a secret that this database still needs");
    const rotated = await sealing.rotateSecret(db);
    expect(rotated).toEqual({ sealed: ONE_OF_EACH, unreadable: 0, waitingFor: null });
    expect(await readAll(place, after, stored)).toEqual(EVERYTHING);
    await (await join(db, after)).leave();
    await third.leave();
    await expect(join(db, before)).rejects.toThrow("lacks a secret that this database still needs");
  });
});

test("a process does not seal with a secret that a running one does not list", async () => {
  await inPlace(async ({ db }) => {
    const first = await join(db, await startedWith(OLD));
    const sealing = await startedWith(NEW, OLD);
    vi.useFakeTimers({ toFake: ["performance"] });
    const clock = setInterval(() => vi.advanceTimersByTime(1_000), 10);
    await expect(join(db, sealing)).rejects.toThrow(
      "is not listed by 1 running server, which could not open what it seals",
    );
    clearInterval(clock);
    vi.useRealTimers();
    // One that waits for a process to end goes on as soon as it has.
    const waiting = join(db, sealing);
    await first.leave();
    await (await waiting).leave();
  });
});

test("while a process seals with an older secret, values are sealed anew but nothing is retired", async () => {
  await inPlace(async (place) => {
    const { db } = place;
    const opening = await startedWith(OLD, NEW);
    const first = await join(db, opening);
    await store(place, opening);
    const sealing = await startedWith(NEW, OLD);
    await (await join(db, sealing)).leave();
    expect(await sealing.rotateSecret(db)).toEqual({
      sealed: ONE_OF_EACH,
      unreadable: 0,
      waitingFor: "1 running server",
    });
    const after = await startedWith(NEW);
    await expect(join(db, after)).rejects.toThrow("lacks a secret that this database still needs");
    const late = await store(place, opening);
    await first.leave();
    expect(await sealing.rotateSecret(db)).toEqual({
      sealed: ONE_OF_EACH,
      unreadable: 0,
      waitingFor: null,
    });
    expect(await readAll(place, after, late)).toEqual(EVERYTHING);
    expect(await sealing.rotateSecret(db)).toMatchObject({ sealed: NONE, waitingFor: null });
  });
});

describe("any number of values", () => {
  test("are found among those that are not sealed, and two rotations at once seal each one once", async () => {
    await inPlace(async (place) => {
      const { db } = place;
      const before = await startedWith(OLD);
      await (await join(db, before)).leave();
      const id = randomUUID();
      const sealed = () => `sealed ${before.seal("x", "kept answer", id)}`;
      const plain = Array.from({ length: 4_100 }, () => "{}");
      await storeAnswers(place, id, [sealed(), ...plain, sealed(), sealed()]);
      const sealing = await startedWith(NEW, OLD);
      await (await join(db, sealing)).leave();
      const both = await Promise.all([sealing.rotateSecret(db), sealing.rotateSecret(db)]);
      const counts = both.map((rotation) => rotation.sealed["stored responses"] ?? 0);
      expect(counts.reduce((sum, count) => sum + count)).toBe(3);
      const after = await startedWith(NEW);
      const rows = await place.owner`
        select body from idempotent_requests where integrator_id = ${id} and body <> '{}'`;
      for (const row of rows) {
        expect(after.unseal(String(row["body"]).slice("sealed ".length), "kept answer", id)).toBe(
          "x",
        );
      }
      expect(rows).toHaveLength(3);
    });
  });

  test("that no secret opens are counted and left alone", async () => {
    await inPlace(async (place) => {
      const { db } = place;
      const sealing = await startedWith(NEW, OLD);
      await (await join(db, sealing)).leave();
      const foreign = await startedWith("a secret that nobody lists and that is long enough");
      await storeAnswers(place, randomUUID(), [`sealed ${foreign.seal("x", "kept answer", "y")}`]);
      expect(await sealing.rotateSecret(db)).toEqual({
        sealed: NONE,
        unreadable: 1,
        waitingFor: null,
      });
    });
  });
});
