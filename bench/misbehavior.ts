import { setTimeout as sleep } from "node:timers/promises";
import { createFixture, newKey } from "./fixture.ts";
import type { Fixture } from "./fixture.ts";
import type { Sample, Summary } from "./measure.ts";
import { toKinds } from "./misbehavior-kinds.ts";
import type { Kind } from "./misbehavior-kinds.ts";
import { MISBEHAVIOR, toMisbehaviorName } from "./misbehavior-report.ts";
import { driveAtRate } from "./open-loop.ts";
import type { Probe } from "./open-loop.ts";
import { toBulkCredit, toCreditOnce, toFreezes } from "./requests.ts";
import { askForToken, signIn, toSignIn, toSignInForm } from "./sign-in.ts";
import { serveProduct, setStage } from "./stage.ts";
import type { Served, Stage } from "./stage.ts";
import { vacuumAnalyze } from "#test/database/scaled-books.ts";
import { takeTurnsInGroups } from "./turns.ts";
import type { CaseGroup, Turns } from "./turns.ts";

/** Together they leave most of a machine with two processors idle. */
const CREDITS_PER_SECOND = 40;
const FREEZES_PER_SECOND = 20;
const SIGN_INS_PER_SECOND = 2;
const JOBS_PER_SECOND = 2;
const ITEMS_PER_JOB = 3;

/** Who freeze and unfreeze in turns: each acts every two seconds, so that no answer overtakes another of the same card. */
const FREEZERS = 40;
/** Each person signs in from an address of their own, too rarely for the limits of either. */
const PEOPLE = 20;
const CARDS = 1_000;
/** One bulk job may have this many. */
const MANY_CARDS = 10_000;
/** What is measured begins this long after the misbehavior does, and after it has ended. */
const LEAD_MS = 1_000;

/**
 * How long the requests of others take while one tenant or one address misbehaves. Each kind of misbehavior takes turns with
 * the same requests alone.
 */
export async function measureMisbehavior(
  { caseMs }: { caseMs: number },
  turns: Turns,
): Promise<Record<string, Summary>> {
  const stage = await setStage();
  let served: Served | undefined;
  try {
    turns.say("Creating the data …");
    const fixture = (cards: number) => createFixture(stage, { cards, transactionsPerCard: 1 });
    const tenant = await fixture(MANY_CARDS);
    const reader = { integratorId: tenant.integratorId, scopes: ["cards:read"] } as const;
    const { key: readingKey } = await newKey(stage.database, reader);
    const others = { payer: await fixture(CARDS), freezer: await fixture(CARDS) };
    const people = await createPeople(stage);
    const bulk = await fixture(CARDS);
    await vacuumAnalyze(stage.database);
    const product = await serveProduct(stage, "misbehavior");
    served = product;
    const probes = [...toApiProbes({ ...others, bulk }), await toSignInProbe(product, people)];
    const kinds = await toKinds(product, {
      tenant: { ...tenant, cookies: await signIn(product, tenant) },
      readingKey,
      say: (text) => turns.say(text),
    });
    const groups = kinds.map((kind) => toGroup(product, kind, probes));
    return await takeTurnsInGroups(groups, caseMs, turns);
  } finally {
    await served?.stop();
    await stage.destroy();
  }
}

/** Measures all requests alone, and then beside a kind of misbehavior. */
function toGroup(product: Served, kind: Kind, probes: readonly Probe[]): CaseGroup {
  const measure = async (when: "alone" | "beside", durationMs: number) => {
    await sleep(LEAD_MS);
    const samples = probes.map(async (probe): Promise<[string, Sample]> => [
      toMisbehaviorName(kind.name, probe.name, when),
      await driveAtRate(product, probe, durationMs),
    ]);
    return Object.fromEntries(await Promise.all(samples));
  };
  return {
    name: `${MISBEHAVIOR}: ${kind.name}`,
    run: async (durationMs) => ({
      ...(await measure("alone", durationMs)),
      ...(await kind.during(() => measure("beside", durationMs))),
    }),
  };
}

async function createPeople(stage: Stage): Promise<Fixture[]> {
  const people: Fixture[] = [];
  while (people.length < PEOPLE) {
    people.push(await createFixture(stage, { cards: 1, transactionsPerCard: 1 }));
  }
  return people;
}

function toApiProbes({
  payer,
  freezer,
  bulk,
}: Record<"payer" | "freezer" | "bulk", Fixture>): Probe[] {
  const toFreeze = toFreezes(freezer.apiKey, freezer.pickCard);
  let frozen = 0;
  return [
    {
      name: "credit",
      perSecond: CREDITS_PER_SECOND,
      next: () => ({ request: toCreditOnce(payer) }),
    },
    {
      name: "freeze",
      perSecond: FREEZES_PER_SECOND,
      next: () => {
        frozen += 1;
        return { request: toFreeze(frozen % FREEZERS) };
      },
    },
    {
      name: "bulk job",
      perSecond: JOBS_PER_SECOND,
      next: () => {
        const cardIds = Array.from({ length: ITEMS_PER_JOB }, () => bulk.pickCard());
        return { request: toBulkCredit({ key: bulk.apiKey, cardIds }) };
      },
    },
  ];
}

async function toSignInProbe(served: Served, people: readonly Fixture[]): Promise<Probe> {
  const { csrfToken, cookie } = await askForToken(served);
  const requests = people.map(({ email, password }) =>
    toSignIn({ form: toSignInForm({ csrfToken, email, password }), cookie }),
  );
  let asked = 0;
  return {
    name: "sign-in",
    perSecond: SIGN_INS_PER_SECOND,
    next: () => {
      asked += 1;
      const person = asked % requests.length;
      return { request: requests[person] ?? Buffer.of(), from: `127.0.1.${person + 1}` };
    },
  };
}
