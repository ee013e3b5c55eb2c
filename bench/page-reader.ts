import { workerData } from "node:worker_threads";
import { z } from "zod";
import { converseTimes, toRequestBytes } from "./http-load.ts";

/**
 * Reloads a page without a pause, compressed as for a browser, in a thread of its own: the load generator's clients that
 * pay would otherwise wait while it reads. Nothing is unpacked: a reader that takes more of the machine than this would be
 * measured in place of the pages.
 */

const { port, path, cookie } = z
  .object({ port: z.number(), path: z.string(), cookie: z.string() })
  .parse(workerData);

const request = toRequestBytes(
  `GET ${path}`,
  { key: "none" },
  `Cookie: ${cookie}\r\nAccept-Encoding: gzip\r\n`,
);
await converseTimes({ port }, Infinity, () => request);
