// @ts-check
import { signIn } from "./owner.js";

/** @import { KeyOptions } from "./index.d.ts" */

/**
 * Creates an API key as the account's owner does it in the dashboard: no key can create another.
 * @param {string} baseUrl
 * @param {{ email: string, password: string }} owner
 * @param {KeyOptions} options
 * @returns {Promise<string>}
 */
export async function createKey(baseUrl, owner, { scopes, name = "Test" }) {
  const headers = await signIn(baseUrl, owner, "newKey");
  const response = await fetch(`${baseUrl}/api/api-keys`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ name, scopes }),
  });
  const body = await response.json();
  if (!response.ok) {
    const members = Object.values(body.errors ?? {}).flat();
    throw new Error(`The key was refused: ${[body.detail, ...members].join(" ")}`);
  }
  return body.api_key;
}
