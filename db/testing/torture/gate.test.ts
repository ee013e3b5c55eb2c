import { expect, test } from "vitest";
import { Gate } from "./gate.ts";

test("a gate closes once those inside are done, and lets nobody in until it opens", async () => {
  const gate = new Gate();
  const done: string[] = [];
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
  const first = gate.pass(async () => {
    await mayEnd;
    done.push("first");
  });
  const closed = gate.close().then(() => done.push("closed"));
  const second = gate.pass(async () => {
    done.push("second");
  });
  end();
  await Promise.all([first, closed]);
  expect(done).toEqual(["first", "closed"]);
  gate.open();
  await second;
  expect(done).toEqual(["first", "closed", "second"]);
});
