import { buildPages } from "./build-pages.ts";
import { bundle } from "./bundle.mjs";
import { say } from "./steps.ts";
import { writeTestingClient } from "./testing-client.ts";

/** Makes what `floatdeck/testing` needs, so that no suite waits for it. With `--api-only`, without the pages. */
await writeTestingClient();
await bundle();
if (!process.argv.includes("--api-only")) {
  await buildPages(say);
}
say("Ready for tests.");
