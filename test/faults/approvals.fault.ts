import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { ask } from "./ask.ts";
import { waitForPages } from "./browser.ts";
import { client, rig, useRig } from "./each-rig.ts";
import { joinSecond, signIn } from "./session.ts";
import type { Session } from "./session.ts";
import { times } from "./length.ts";
import { credit, readEffects } from "./load.ts";

useRig({ serves: "pages" });

const KILLS = times({ short: 4, long: 15 });
const REQUESTS = times({ short: 60, long: 100 });
const SIDE_BY_SIDE = 4;
/** Between two kills, so that decisions are made between them. */
const PAUSE_MS = 700;

/** The second person's session; from now on every move of the client waits for it. */
async function requireSecond(): Promise<Session> {
  const { baseUrl, database } = rig;
  const { integratorId, email } = client;
  await waitForPages(baseUrl);
  const account = { baseUrl, ownerUrl: database.ownerUrl, integratorId };
  const { session } = await signIn(account, { email, forwarded: {} });
  return joinSecond(account, session, { email: `second-${email}`, forwarded: {} });
}

/** The same decision, repeated until a server has answered it. @returns the status. */
async function decide(id: string, verb: "approve" | "reject", session: Session): Promise<number> {
  for (;;) {
    const answer = await fetch(`${rig.baseUrl}/approvals/${id}/${verb}`, {
      method: "POST",
      headers: { ...session, "Content-Type": "application/json" },
      body: "{}",
    }).catch(() => undefined);
    if (answer && answer.status < 500) {
      return answer.status;
    }
    await sleep(50);
  }
}

async function killAgainAndAgain(): Promise<void> {
  for (let kill = 0; kill < KILLS; kill += 1) {
    await sleep(PAUSE_MS);
    const gone = once(rig.server, "exit");
    rig.server.kill("SIGKILL");
    await gone;
    await rig.restartServer();
  }
}

test(`${KILLS} times kill -9 while requests are approved and rejected at once: each has one outcome, and moves once or never`, async () => {
  const session = await requireSecond();
  const keys = Array.from({ length: REQUESTS }, (_, index) => `payday-${index}`);
  for (const key of keys) {
    expect((await credit(rig, client, key)).status).toBe(202);
  }
  const { data: waiting } = await ask(rig, `GET /approvals?limit=100`, { client });
  const left = waiting.map(({ id }: { id: string }) => id);
  const statuses: number[] = [];
  const decideAll = async () => {
    for (let id = left.pop(); id; id = left.pop()) {
      const both = [decide(id, "approve", session), decide(id, "reject", session)];
      statuses.push(...(await Promise.all(both)));
      // Decisions are far apart, so that each kill meets one.
      await sleep(200);
    }
  };
  await Promise.all([killAgainAndAgain(), ...Array.from({ length: SIDE_BY_SIDE }, decideAll)]);
  expect(new Set(statuses)).toEqual(new Set([200, 409]));
  const { data: decided } = await ask(rig, `GET /approvals?limit=100`, { client });
  const count = (status: string) =>
    decided.filter((each: { status: string }) => each.status === status).length;
  const approved = count("approved");
  expect(approved + count("rejected")).toBe(REQUESTS);
  expect(await readEffects(rig, client)).toEqual({ keyed: approved, balance: approved });
  for (const key of keys) {
    expect((await credit(rig, client, key)).status).toBe(202);
  }
  expect(await readEffects(rig, client)).toEqual({ keyed: approved, balance: approved });
  expect(await rig.sweep()).toEqual([]);
});
