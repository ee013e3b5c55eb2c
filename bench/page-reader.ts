import { workerData } from "node:worker_threads";
import { z } from "zod";

/**
 * Reloads a page without a pause, in a thread of its own: the load generator's clients that pay would otherwise wait
 * while it reads.
 */

const { url, cookie } = z.object({ url: z.string(), cookie: z.string() }).parse(workerData);

for (;;) {
  const page = await fetch(url, { headers: { cookie } });
  if (page.status !== 200 || !(await page.text()).includes("</html>")) {
    throw new Error(`A page was answered with ${page.status}.`);
  }
}
