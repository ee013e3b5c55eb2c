import { testDatabase } from "#test/database/database.ts";
import { HERE } from "#test/outside/notifications.ts";
import { startApiLog, stopApiLog } from "#lib/api/edge/api-log.ts";
import { startWorker } from "#lib/webhooks/worker.ts";
import { EdgeRig } from "./edge-rig.ts";

/** A server with everything that scenarios need: the API behind its edge, the sender of webhooks, and the API log. */
export interface ScenarioServer {
  origin: string;
  stop(): Promise<void>;
}

/** @param served receives the port, which the addresses of test inboxes name. */
export async function startScenarioServer(served: { port: number }): Promise<ScenarioServer> {
  const rig = await EdgeRig.start();
  served.port = rig.port;
  const origin = `http://127.0.0.1:${rig.port}`;
  const worker = startWorker(testDatabase().db, { ...HERE, publicUrl: origin });
  startApiLog();
  return {
    origin,
    stop: async () => {
      await stopApiLog();
      await worker.stop();
      rig.stop();
    },
  };
}
