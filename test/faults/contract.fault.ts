import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { toBundle } from "../../bin/bundle.mjs";
import { toWholeDocument } from "#lib/api/openapi/whole-document.ts";
import { readOperations } from "./fuzz-document.ts";
import type { DocumentedOperation, OpenApiDocument } from "./fuzz-document.ts";
import { describeFault, findFault } from "./fuzz-judge.ts";
import { Random } from "./fuzz-random.ts";
import { Requests } from "./fuzz-requests.ts";
import type { Casting, Made } from "./fuzz-requests.ts";
import { learn, newTenant } from "./fuzz-tenant.ts";
import { deliver } from "./fuzz-wire.ts";
import type { Answered } from "./fuzz-wire.ts";
import { times } from "./length.ts";
import { startRig } from "./rig.ts";
import type { Rig } from "./rig.ts";

const REQUESTS = times({ short: 6_000, long: 20_000 });
const CLIENTS = 8;
/** The most that continue after them until every operation has succeeded. */
const CLIENTS_MORE = 6;
/** After this many requests, a client continues as another integrator. */
const REQUESTS_PER_TENANT = 400;
const STRANGER_REQUESTS = 500;
const SEED = Number(process.env["FUZZ_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
const PAGES_READY_MS = 120_000;
/** Long, because of the number of requests. Each request has its own timeout. */
const TIMEOUT_MS = 1_800_000;

let rig: Rig;
let contract: { operations: readonly DocumentedOperation[]; document: OpenApiDocument };
let processorKey: string;

beforeAll(async () => {
  vi.stubEnv("TRUSTED_PROXIES", "1");
  vi.stubEnv("WEBHOOK_LOOPBACK", "on");
  rig = await startRig({ serves: "pages" });
  await waitForSignIn();
  const served = await fetch(`${rig.baseUrl}/openapi.json`);
  const document: OpenApiDocument = JSON.parse(toWholeDocument(Object(await served.json())));
  contract = { document, operations: readOperations(document) };
  processorKey = createProcessorKey();
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await rig.stop();
});

test(
  "requests of every operation, good and hostile: each is answered as declared, none with a 500",
  async () => {
    const stranger = await liveAsStranger();
    const tally = new Tally();
    const { operations } = contract;
    await Promise.all(
      Array.from({ length: CLIENTS }, (_, number) =>
        runClient(SEED + number, { stranger, tally, operations }),
      ),
    );
    expect(tally.sent).toBe(REQUESTS);
    // Chance may have left out an operation that takes several steps.
    for (let more = 0; more < CLIENTS_MORE && tally.listNever().length > 0; more += 1) {
      const often = aimAt(tally.listNever());
      await runClient(SEED + CLIENTS + more, { stranger, tally, operations: often });
    }
    process.stdout.write(`${tally.summarize()}\n`);
    expect(tally.faults.slice(0, 20), `${tally.faults.length} faults; seed ${SEED}`).toEqual([]);
    expect(toIds(tally.listNever())).toEqual([]);
    expect(await rig.sweep()).toEqual([]);
  },
  TIMEOUT_MS,
);

/** The API answers before the pages do, and sign-in belongs to the pages. */
async function waitForSignIn(): Promise<void> {
  const options = { timeout: PAGES_READY_MS, interval: 200 };
  await vi.waitFor(async () => {
    const { status } = await fetch(`${rig.baseUrl}/auth/csrf`);
    expect(status).toBe(200);
  }, options);
}

/** The responses to all clients. */
class Tally {
  sent = 0;
  readonly faults: string[] = [];
  private readonly succeeded = new Set<string>();
  private readonly statuses = new Map<number, number>();

  add(made: Made, answered: Answered, fault: string | null): void {
    this.sent += 1;
    this.statuses.set(answered.status, (this.statuses.get(answered.status) ?? 0) + 1);
    if (fault) {
      this.faults.push(describeFault({ made, answered, fault }));
    } else if (answered.status < 300 && made.method === made.operation.method) {
      this.succeeded.add(made.operation.id);
    }
  }

  /** The operations that have never succeeded. */
  listNever(): DocumentedOperation[] {
    return contract.operations.filter(({ id }) => !this.succeeded.has(id));
  }

  summarize(): string {
    const counts = [...this.statuses]
      .toSorted(([a], [b]) => a - b)
      .map(([status, count]) => `${status}: ${count}`);
    return [
      `FUZZ_SEED=${SEED}: ${this.sent} requests; by status ${counts.join(", ")}`,
      `never succeeded: ${toIds(this.listNever()).join(", ") || "none"}`,
    ].join("\n");
  }
}

function toIds(operations: readonly DocumentedOperation[]): string[] {
  return operations.map(({ id }) => id);
}

/** All operations to pick from: a third are the wanted ones, and a third those of the same resources, which they need. */
function aimAt(wanted: readonly DocumentedOperation[]): DocumentedOperation[] {
  const { operations } = contract;
  const resources = new Set(wanted.map(toResource));
  const related = operations.filter((each) => resources.has(toResource(each)));
  return [wanted, related, operations].flatMap((each) =>
    Array.from({ length: Math.ceil(operations.length / each.length) }, () => each).flat(),
  );
}

/** The first segment of its path. */
function toResource({ path }: DocumentedOperation): string {
  return path.split("/", 2).join("/");
}

/** An integrator with one of everything, which no other integrator may ever see. */
async function liveAsStranger(): Promise<Casting["tenant"]> {
  const random = new Random(SEED - 1);
  const requests = new Requests(random, contract);
  const tenant = await newTenant(rig, random);
  for (let turn = 0; turn < STRANGER_REQUESTS; turn += 1) {
    const made = requests.nextWhole({ tenant, stranger: null, processorKey }, turn);
    const answered = await deliver(rig, made);
    if (answered.status < 300) {
      learnFrom(tenant, made, answered);
    }
  }
  return tenant;
}

async function runClient(
  seed: number,
  {
    stranger,
    tally,
    operations,
  }: { stranger: Casting["tenant"]; tally: Tally; operations: readonly DocumentedOperation[] },
): Promise<void> {
  const random = new Random(seed);
  const requests = new Requests(random, { ...contract, operations });
  const strange = new Set(Object.values(stranger.known).flat());
  let tenant = await newTenant(rig, random);
  let age = 0;
  for (let turn = 0; turn < REQUESTS / CLIENTS; turn += 1) {
    const made = requests.next({ tenant, stranger, processorKey }, age);
    const answered = await deliver(rig, made);
    let fault = findFault(made, answered);
    if (!fault && answered.status < 300) {
      const shown = learnFrom(tenant, made, answered);
      const leaked = made.operation.scope !== "processor" && shown.find((id) => strange.has(id));
      fault = leaked ? `${leaked} is somebody else's` : null;
    }
    tally.add(made, answered, fault);
    // Some requests revoke the rights of later ones.
    age += 1;
    if (age === REQUESTS_PER_TENANT || (made.isWhole && isLockedOut(answered))) {
      tenant = await newTenant(rig, random);
      age = 0;
    }
  }
}

function learnFrom(tenant: Casting["tenant"], { operation }: Made, answered: Answered): string[] {
  return answered.mediaType === "application/json" && answered.text !== ""
    ? learn(tenant, operation, JSON.parse(answered.text))
    : [];
}

const LOCKED_OUT =
  /"code":"(?:credential_missing|credential_invalid|second_factor_required|scope_missing)"/u;

function isLockedOut({ text }: Answered): boolean {
  return LOCKED_OUT.test(text);
}

function createProcessorKey(): string {
  const args = [toBundle("floatdeck.ts"), "processor-key", "create", "--name", "Fuzz", "--json"];
  const out = execFileSync(process.execPath, args, {
    encoding: "utf8",
    env: {
      ...process.env,
      DATABASE_URL: rig.database.appUrl,
      FLOATDECK_SECRET: "a secret for nothing but this test run",
      FLOATDECK_ENV: "sandbox",
    },
  });
  const { key }: { key: string } = JSON.parse(out);
  return key;
}
