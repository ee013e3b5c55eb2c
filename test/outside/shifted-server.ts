import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { shiftClock } from "./shifted-clock.ts";
import { closeDatabase, configureDatabase, database } from "#db/client.ts";
import { createFetchApi } from "#test/scene/api-client.ts";
import { startApiLog, stopApiLog } from "#lib/api/edge/api-log.ts";
import { checkClock, startClockWatch } from "#lib/operator/clock-skew.ts";

/** The API in a separate process whose parent sets its clock: the message `{ shiftMs }` sets it, and is acknowledged. */

configureDatabase(process.argv[2] ?? "", { max: 4 });
const api = createFetchApi();
const server = createServer(
  getRequestListener((request) => api(request), { overrideGlobalObjects: false }),
);
startApiLog();
const watch = startClockWatch(database());
server.listen(0, "127.0.0.1", () => process.send?.(server.address()));
process.on("message", (message: { shiftMs: number }) => {
  shiftClock(message.shiftMs);
  void checkClock(database()).then(() => process.send?.(message));
});
process.once("disconnect", () => {
  watch.stop();
  server.close();
  server.closeAllConnections();
  void stopApiLog().then(closeDatabase);
});
