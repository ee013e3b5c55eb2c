import type { ChildProcess } from "node:child_process";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { newClient } from "./load.ts";
import type { Client } from "./load.ts";
import { startRig } from "./rig.ts";
import type { Rig, Setup } from "./rig.ts";

/** The rig of the test file, and the running test's own client. */
export let rig: Rig;
export let client: Client;

/** Starts a rig for the tests of this file. Each test finds its server running, and has a client of its own. */
export function useRig(setup?: Setup): void {
  beforeAll(async () => {
    rig = await startRig(setup);
  });
  beforeEach(async () => {
    if (hasEnded(rig.server)) {
      await rig.restartServer();
    }
    client = await newClient(rig);
  });
  afterAll(() => rig.stop());
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
