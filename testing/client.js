// @ts-check
import path from "node:path";
import folder from "./folder.cjs";

/** @import { Floatdeck, WebhookEvent } from "./index.d.ts" */

/** `npm run testing:prepare` writes it, from the contract of this checkout. */
const MODULE = path.join(folder, "client/index.js");

/**
 * The client library: the one that every server serves.
 * @returns {Promise<{
 *   Floatdeck: new (options: { apiKey: string, baseUrl: string }) => Floatdeck,
 *   verifyWebhook: (secret: string, headers: import("node:http").IncomingHttpHeaders, body: string) => Promise<WebhookEvent>,
 * }>}
 */
export async function loadClient() {
  try {
    return await import(MODULE);
  } catch (cause) {
    throw new Error(
      `This checkout is not prepared for tests: run npm run testing:prepare in ${path.dirname(folder)}.`,
      { cause },
    );
  }
}

/**
 * @param {string} baseUrl
 * @param {string} apiKey
 * @returns {Promise<Floatdeck>}
 */
export async function clientOf(baseUrl, apiKey) {
  const { Floatdeck } = await loadClient();
  return new Floatdeck({ apiKey, baseUrl });
}
