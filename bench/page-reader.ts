import { workerData } from "node:worker_threads";
import { z } from "zod";
import { converseTimes, toPageRequest } from "./http-load.ts";

/**
 * Reloads a page without a pause, compressed as for a browser, in a thread of its own: the load generator's clients that
 * pay would otherwise wait while it reads. Nothing is unpacked: a reader that takes more of the machine than this would be
 * measured in place of the pages.
 */

const { port, path, cookie } = z
  .object({ port: z.number(), path: z.string(), cookie: z.string() })
  .parse(workerData);

const request = toPageRequest(path, cookie, { compressed: true });
await converseTimes({ port }, Infinity, () => request);
