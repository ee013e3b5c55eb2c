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

/** @param settings receive the server's address, which test inboxes name. */
export async function startScenarioServer(settings: {
  PUBLIC_URL: string;
}): Promise<ScenarioServer> {
  const rig = await EdgeRig.start();
  const origin = `http://127.0.0.1:${rig.port}`;
  settings.PUBLIC_URL = origin;
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
