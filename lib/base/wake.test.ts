import { expect, test } from "vitest";
import { onMessage, onWake, wakeMailers, wakeWorkers } from "#lib/base/wake.ts";

test("events wake no mailer, and messages no worker", () => {
  const woken: string[] = [];
  const forget = [onWake(() => woken.push("worker")), onMessage(() => woken.push("mailer"))];
  wakeWorkers();
  expect(woken).toEqual(["worker"]);
  wakeMailers();
  expect(woken).toEqual(["worker", "mailer"]);
  forget.forEach((each) => each());
  wakeWorkers();
  wakeMailers();
  expect(woken).toHaveLength(2);
});
