import { afterEach, beforeEach } from "vitest";
import { newClient } from "./load.ts";
import type { Client } from "./load.ts";
import { startRig } from "./rig.ts";
import type { Rig } from "./rig.ts";

/** The running test's own rig, and a client of its server. */
export let rig: Rig;
export let client: Client;

/** Creates a rig and a client for each test of this file. */
export function useRig(): void {
  beforeEach(async () => {
    rig = await startRig();
    client = await newClient(rig);
  });
  afterEach(() => rig.stop());
}
