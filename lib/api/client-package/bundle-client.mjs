// @ts-check
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build, stop } from "esbuild";

const SOURCE = path.join(path.dirname(fileURLToPath(import.meta.url)), "source");

/** Stand in the code where a server fills in its contract, with its address, and what triggers each event. */
export const PLACES = {
  contract: "FLOATDECK_CONTRACT",
  triggers: "FLOATDECK_TRIGGERS",
  url: "FLOATDECK_URL",
};

const INDEX = `
  import { defineClient } from "./client.ts";
  export {
    FloatdeckAbortError, FloatdeckApprovalError, FloatdeckAuthenticationError, FloatdeckConflictError,
    FloatdeckConnectionError, FloatdeckError, FloatdeckInvalidRequestError, FloatdeckNotFoundError,
    FloatdeckPermissionError, FloatdeckRateLimitError, FloatdeckServerError, FloatdeckTimeoutError,
  } from "./problems.ts";
  export { signWebhook } from "./sign-webhook.ts";
  export { WebhookVerificationError, verifyWebhook } from "./verify-webhook.ts";
  export const contract = ${PLACES.contract};
  export const Floatdeck = defineClient(contract);`;

const COMMAND = `
  import { contract, Floatdeck } from "./index.js";
  import { run } from "./command/run.ts";
  const triggers = ${PLACES.triggers};
  process.exitCode = await run({ Floatdeck, baseUrl: contract.baseUrl, triggers }, process.argv.slice(2));`;

/**
 * The code of the client library and of its command, the same for every server. A bundle of the server (bin/bundle.mjs)
 * carries what this returns, so that running it takes no compiler.
 */
export async function bundleClient() {
  const [index, command] = await Promise.all([toJavaScript(INDEX), toJavaScript(COMMAND)]);
  // Its process has nothing more to do.
  await stop();
  return { index, command, types: readFileSync(path.join(SOURCE, "index.d.ts"), "utf8") };
}

/**
 * A module with everything that it imports from the sources, small enough to be fetched by a browser.
 * @param {string} contents
 */
async function toJavaScript(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: SOURCE, loader: "ts" },
    bundle: true,
    external: ["node:*", "./index.js"],
    format: "esm",
    minify: true,
    target: "es2022",
    write: false,
  });
  return outputFiles.map(({ text }) => text).join("");
}
