import { sql } from "drizzle-orm";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { call } from "#test/scene/api-client.ts";
import type { ApiCall, ApiReply } from "#test/scene/api-client.ts";
import { whileAway, whileLocked, withoutColumns } from "#test/database/broken-database.ts";
import { testDatabase } from "#test/database/database.ts";
import { GENERAL_CODES, operationsDeclaring } from "#test/scene/declared-pairs.ts";
import type { GeneralCode } from "#test/scene/declared-pairs.ts";
import { move, newProcessorKey, newScopedKey } from "#test/scene/fixtures.ts";
import { whileSunset } from "#test/scene/sunset.ts";
import { makeStale, newStaff } from "#test/scene/staff.ts";
import {
  credentialOf,
  kindOfId,
  newTenant,
  sampleBody,
  sampleQuery,
  toLine,
} from "#test/scene/tenant.ts";
import type { Tenant } from "#test/scene/tenant.ts";
import { newKey } from "#lib/access/key-text.ts";
import { KEY_SCOPES } from "#lib/base/actor.ts";
import { OPERATIONS } from "#lib/operations/operations.ts";
import type { Operation } from "#lib/operations/operation.ts";
import { newId } from "#lib/base/ids.ts";
import { log } from "#lib/base/log.ts";
import { STAFF_ID_HEADER } from "#lib/base/page-person.ts";
import { toIdempotencyName } from "#lib/base/idempotency-name.ts";

/**
 * Makes every operation answer each general code that it declares, with a real request.
 * test/scene/api-client.ts checks on every request of every test that no operation answers an
 * undeclared code.
 */

const settings = vi.hoisted(() => ({
  TIME_LIMIT_FACTOR: "",
  FLOATDECK_ENV: "sandbox",
  DATABASE_URL: "postgres://a@b/c",
}));

vi.mock("#lib/base/env.ts", async (original) => {
  const { withSettings } = await import("#test/run/settings.ts");
  return withSettings(original, settings);
});

let mine: Tenant;
let processorKey: string;
let addresses = 0;

beforeAll(async () => {
  // Keep errors that are caused on purpose out of the test output.
  log.level = "silent";
  mine = await newTenant();
  processorKey = await newProcessorKey();
});

afterEach(() => {
  settings.FLOATDECK_ENV = "sandbox";
  vi.useRealTimers();
});

/** An address that has not sent a bad key yet. */
function newAddress(): string {
  addresses += 1;
  return `10.3.${Math.floor(addresses / 250)}.${addresses % 250}`;
}

interface RequestOverrides extends Partial<ApiCall> {
  query?: string;
  by?: Pick<Tenant, "apiKey" | "owner" | "ids">;
  processorKey?: string;
}

/** A request that would succeed except for the given overrides; `key: undefined` omits the key. */
function ask(operation: Operation, overrides: RequestOverrides = {}): Promise<ApiReply> {
  const {
    query = `?${new URLSearchParams(sampleQuery(operation)).toString()}`,
    by = mine,
    processorKey: network = processorKey,
    headers,
    ...given
  } = overrides;
  const credential = credentialOf(operation, { ...by, processorKey: network });
  const id = operation.notFound ? by.ids[kindOfId(operation)] : "";
  return call(`${toLine(operation, id)}${query}`, {
    ...credential,
    ...(operation.body ? { body: sampleBody(operation, by.ids) } : {}),
    ...given,
    headers: { ...credential.headers, ...headers },
  });
}

/** The same request by a signed-in person, without a key. */
function askAsStaff(operation: Operation, headers: Record<string, string>): Promise<ApiReply> {
  return ask(operation, { key: undefined, headers });
}

type Send = (operation: Operation) => Promise<ApiReply>;
type Trigger = (produce: (send: Send) => Promise<void>) => Promise<void>;

const withReference = (operation: Operation, reference: string) => ({
  ...sampleBody(operation, mine.ids),
  reference,
});

const TRIGGERS: Readonly<Record<GeneralCode, Trigger>> = {
  validation_failed: (produce) => produce((each) => ask(each, { query: "?surplus=1" })),
  version_unknown: (produce) => produce((each) => ask(each, { headers: { "Api-Version": "9" } })),
  internal_error: async (produce) => {
    const { key } = await newScopedKey(mine.id, KEY_SCOPES);
    const network = await newProcessorKey();
    await withoutColumns(() =>
      produce((each) => ask(each, { by: { ...mine, apiKey: key }, processorKey: network })),
    );
  },
  credential_missing: (produce) =>
    produce((each) => ask(each, { key: undefined, headers: { cookie: "" } })),
  session_changed: async (produce) => {
    const { headers } = (await newTenant()).owner;
    await produce((each) =>
      askAsStaff(each, { ...headers, [STAFF_ID_HEADER]: mine.owner.headers[STAFF_ID_HEADER] }),
    );
  },
  credential_invalid: (produce) =>
    produce((each) => ask(each, { key: "fd_test_bad", address: newAddress() })),
  cell_elsewhere: (produce) =>
    produce((each) => ask(each, { key: newKey({ environment: "sandbox", cell: 2 }) })),
  scope_missing: async (produce) => {
    const { key } = await newScopedKey(mine.id, ["webhooks:read"]);
    const other = await newScopedKey(mine.id, ["cards:read"]);
    const keyFor = ({ scope, staffOnly }: Operation) => {
      // Without a scope, only the card network may not call it.
      if (scope === null && !staffOnly) {
        return processorKey;
      }
      return scope === "webhooks:read" ? other.key : key;
    };
    await produce((each) => ask(each, { key: keyFor(each) }));
  },
  rate_limited: async (produce) => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const address = newAddress();
    const closed = { webhook_url: "http://10.0.0.1/" };
    const bad = (each: Operation) => {
      const body = { ...sampleBody(each, mine.ids), ...closed };
      const key = each.kind === "public" ? undefined : "fd_test_bad";
      return ask(each, { ...(each.id === "registerIntegrator" && { body }), key, address });
    };
    for (const each of operationsDeclaring("rate_limited").filter(
      ({ id, kind }) => kind === "public" || id === "listCards",
    )) {
      await Promise.all(Array.from({ length: 50 }, () => bad(each)));
    }
    await produce(bad);
  },
  database_unavailable: (produce) => whileAway(() => produce((each) => ask(each))),
  origin_refused: (produce) =>
    produce((each) => askAsStaff(each, { ...mine.owner.headers, "sec-fetch-site": "cross-site" })),
  content_type_unsupported: (produce) =>
    produce((each) =>
      each.kind === "public"
        ? ask(each, { headers: { "Content-Type": "text/plain" } })
        : askAsStaff(each, { ...mine.owner.headers, "Content-Type": "text/plain" }),
    ),
  request_malformed: (produce) => produce((each) => ask(each, { body: "{" })),
  body_too_large: (produce) =>
    produce((each) => ask(each, { body: " ".repeat(each.large ? 1_048_577 : 65_537) })),
  idempotency_key_required: async (produce) => {
    const strict = await newTenant();
    await call("PATCH /card-integrators/settings", {
      key: strict.apiKey,
      body: { idempotency_required: true },
    });
    await produce((each) => ask(each, { by: strict }));
  },
  idempotency_key_malformed: (produce) =>
    produce((each) => ask(each, { headers: { "Idempotency-Key": "a b" } })),
  idempotency_key_reused: async (produce) => {
    const headers = { "Idempotency-Key": newId() };
    const first = await call("PATCH /card-integrators/settings", {
      key: mine.apiKey,
      body: { low_balance_threshold: 7 },
      headers,
    });
    expect(first.status).toBe(200);
    await produce((each) => ask(each, { headers }));
  },
  idempotency_in_progress: async (produce) => {
    const names = operationsDeclaring("idempotency_in_progress").map((each) =>
      each.kind === "processor"
        ? `processor in-progress-${each.id}`
        : `${mine.id} ${toIdempotencyName(mine.id, `in-progress-${each.id}`)}`,
    );
    await whileLocked(names, () =>
      produce((each) =>
        each.kind === "processor"
          ? ask(each, { body: withReference(each, `in-progress-${each.id}`) })
          : ask(each, { headers: { "Idempotency-Key": `in-progress-${each.id}` } }),
      ),
    );
  },
  idempotency_key_expired: async (produce) => {
    for (const each of operationsDeclaring("idempotency_key_expired")) {
      // A transfer under a key whose answer is no longer stored.
      await move(mine, {
        kind: "top-up",
        amount: 1,
        idempotencyKey: toIdempotencyName(mine.id, `expired-${each.id}`),
      });
    }
    await produce((each) => ask(each, { headers: { "Idempotency-Key": `expired-${each.id}` } }));
  },
  response_erased: async (produce) => {
    for (const { id } of operationsDeclaring("response_erased")) {
      await testDatabase().db.execute(sql`
        insert into idempotent_requests (integrator_id, key, fingerprint, status, content_type, request_id)
        values (${mine.id}, ${toIdempotencyName(mine.id, `erased-${id}`)}, '', 200, 'application/json', 'erased')`);
    }
    await produce((each) => ask(each, { headers: { "Idempotency-Key": `erased-${each.id}` } }));
  },
  reference_reused: async (produce) => {
    const reference = newId();
    const body = { reference, integrator_id: mine.id, amount: 2 };
    const first = await call("POST /processor/funding", { key: processorKey, body });
    expect(first.status).toBe(200);
    await produce((each) => ask(each, { body: withReference(each, reference) }));
  },
  second_factor_required: async (produce) => {
    const { id } = await newTenant();
    const { headers } = await newStaff(id, "owner");
    await testDatabase().db.execute(
      sql`update integrators set second_factor_required = true where id = ${id}`,
    );
    await produce((each) => askAsStaff(each, headers));
  },
  fresh_sign_in_required: async (produce) => {
    const stale = await newStaff(mine.id, "owner");
    await makeStale(stale);
    const body = { approval: { threshold: 1, for_keys: false } };
    await produce((each) =>
      each.id === "updateSettings"
        ? ask(each, { key: undefined, headers: stale.headers, body })
        : askAsStaff(each, stale.headers),
    );
  },
  sandbox_only: (produce) => {
    settings.FLOATDECK_ENV = "live";
    return produce((each) => ask(each));
  },
  not_in_version: (produce) =>
    produce((each) => ask(each, { headers: { "Api-Version": "0.2.0" } })),
  precondition_failed: (produce) =>
    produce((each) => ask(each, { headers: { "If-Match": '"another"' } })),
  sunset: (produce) => whileSunset(() => produce((each) => ask(each))),
};

/**
 * Their answers depend on nothing that could fail without a bug, and the failure path is the one
 * every operation shares.
 */
const CANNOT_CRASH: ReadonlySet<string> = new Set(["getLiveness", "getOpenApi", "getReadiness"]);

describe("each operation answers the general code that it declares", () => {
  test.each(GENERAL_CODES)("%s", async (code) => {
    const operations = operationsDeclaring(code).filter(
      ({ id }) => code !== "internal_error" || !CANNOT_CRASH.has(id),
    );
    expect(operations).not.toEqual([]);
    const answered = new Map<string, unknown>();
    await TRIGGERS[code](async (send) => {
      await Promise.all(
        operations.map(async (each) => {
          const { status, json } = await send(each);
          answered.set(each.id, (json as { code?: string } | undefined)?.code ?? status);
        }),
      );
    });
    expect(Object.fromEntries(answered)).toEqual(
      Object.fromEntries(operations.map(({ id }) => [id, code])),
    );
  });

  test.each(OPERATIONS.filter(({ notFound }) => notFound).map((each) => [each.id, each] as const))(
    "%s: the id in its path is unknown",
    async (_id, each) => {
      // A capture of an unknown authorization is kept for the operator; what can be no id is not one.
      const id = each.id === "createCapture" ? "not-an-id" : newId();
      const ids = { ...mine.ids, [kindOfId(each)]: id };
      const reply = await ask(each, {
        by: { ...mine, ids },
        ...(each.body ? { body: sampleBody(each, mine.ids) } : {}),
      });
      expect(reply.json).toMatchObject({ code: each.notFound });
    },
  );
});
