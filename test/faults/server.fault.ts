import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { RawConnection, toAnswer } from "#test/outside/raw-http.ts";
import { client, rig, useRig } from "./each-rig.ts";
import { times } from "./length.ts";
import { Load, readEffects } from "./load.ts";

useRig();

const KILLS = times({ short: 5, long: 20 });
/** How long the server may take to be back after a kill, as a multiple of what it takes after a stop. */
const BACK_WITHIN = 3;

/** Ends the server. @returns how long it takes to be ready again, in milliseconds. */
async function restartAfter(signal: NodeJS.Signals): Promise<number> {
  const gone = once(rig.server, "exit");
  rig.server.kill(signal);
  await gone;
  const started = performance.now();
  await rig.restartServer();
  return performance.now() - started;
}

test(`${KILLS} times kill -9 of the server under load: nothing acknowledged is lost, nothing is done twice`, async () => {
  const load = new Load(rig, client, { count: 5, pauseMs: 80 });
  const afterStop = await restartAfter("SIGTERM");
  const backAfter: number[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    await sleep(300 + Math.random() * 700);
    backAfter.push(await restartAfter("SIGKILL"));
  }
  await load.stop();
  expect(load.acknowledged.length).toBeGreaterThan(KILLS);
  const effects = await readEffects(rig, client);
  expect(effects).toEqual({ keyed: load.acknowledged.length, balance: load.acknowledged.length });
  expect(Math.max(...backAfter)).toBeLessThan(BACK_WITHIN * afterStop);
  expect(await rig.sweep()).toEqual([]);
});

test("SIGTERM under load: every request in flight is answered, and the server is gone within 25 s", async () => {
  const load = new Load(rig, client, { count: 20, pauseMs: 5 });
  await sleep(1_500);
  const before = load.seen.length;
  const started = performance.now();
  const gone = once(rig.server, "exit");
  rig.server.kill("SIGTERM");
  const [code] = await gone;
  expect(code).toBe(0);
  expect(performance.now() - started).toBeLessThan(25_000);
  await rig.restartServer();
  await load.stop();
  // Once the port is closed, connections are refused; every accepted request was answered.
  const answered = load.seen.slice(before).filter(({ status }) => status !== 0);
  expect(answered.filter(({ status }) => status !== 200)).toEqual([]);
  const broken = load.seen.slice(before).filter(({ status, ms }) => status === 0 && ms > 500);
  expect(broken).toEqual([]);
  const effects = await readEffects(rig, client);
  expect(effects).toEqual({ keyed: load.acknowledged.length, balance: load.acknowledged.length });
  expect(await rig.sweep()).toEqual([]);
});

test("SIGTERM while a request is being sent: it is answered, and its connection does not keep the server from exiting", async () => {
  const { port, pathname } = new URL(`${rig.baseUrl}/cards/credit/balance`);
  const body = JSON.stringify({ card_id: client.cardId, amount: 1 });
  const sender = await RawConnection.open(Number(port));
  const headers = { ...client.headers, host: `127.0.0.1:${port}`, "content-length": body.length };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  sender.send(`PATCH ${pathname} HTTP/1.1\r\n${lines.join("")}\r\n${body.slice(0, 9)}`);
  // Another connection's answer shows that the server has read the above.
  expect((await fetch(`${rig.baseUrl}/health/live`)).status).toBe(200);
  const gone = once(rig.server, "exit");
  rig.server.kill("SIGTERM");
  const isClosed = () =>
    RawConnection.open(Number(port)).then(
      ({ socket }) => !socket.destroy(),
      () => true,
    );
  await expect.poll(isClosed, { timeout: 10_000 }).toBe(true);
  sender.send(body.slice(9));
  const answered = performance.now();
  expect(toAnswer(await sender.untilClosed()).status).toBe(200);
  expect(await gone).toEqual([0, null]);
  expect(performance.now() - answered).toBeLessThan(10_000);
});
