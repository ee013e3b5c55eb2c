// @ts-check

/** @import { KeyOptions } from "./index.d.ts" */

/**
 * Creates an API key as the account's owner does it in the dashboard: no key can create another.
 * @param {string} baseUrl
 * @param {{ email: string, password: string }} owner
 * @param {KeyOptions} options
 * @returns {Promise<string>}
 */
export async function createKey(baseUrl, owner, { scopes, name = "Test" }) {
  const cookie = await signIn(baseUrl, owner);
  const session = await fetch(`${baseUrl}/api/auth/session`, { headers: { cookie } });
  const { staffId } = await session.json();
  const response = await fetch(`${baseUrl}/api/api-keys`, {
    method: "POST",
    headers: {
      cookie,
      "staff-id": staffId,
      "content-type": "application/json",
      origin: new URL(baseUrl).origin,
    },
    body: JSON.stringify({ name, scopes }),
  });
  const body = await response.json();
  if (!response.ok) {
    const members = Object.values(body.errors ?? {}).flat();
    throw new Error(`The key was refused: ${[body.detail, ...members].join(" ")}`);
  }
  return body.api_key;
}

/**
 * @param {string} baseUrl
 * @param {{ email: string, password: string }} owner
 * @returns {Promise<string>} the session's cookies.
 */
async function signIn(baseUrl, owner) {
  const asked = await fetch(`${baseUrl}/api/auth/csrf`);
  if (!asked.ok) {
    throw new Error(
      "newKey signs the owner in, which needs pages: call startFloatdeck({ pages: true }).",
    );
  }
  const { csrfToken } = await asked.json();
  const answer = await fetch(`${baseUrl}/api/auth/callback/credentials`, {
    method: "POST",
    redirect: "manual",
    headers: { cookie: toCookies(asked), origin: new URL(baseUrl).origin },
    body: new URLSearchParams({ json: "true", csrfToken, ...owner }),
  });
  if (!answer.ok) {
    throw new Error(`The owner could not sign in: ${await answer.text()}`);
  }
  return [toCookies(asked), toCookies(answer)].join("; ");
}

/** @param {Response} response */
function toCookies(response) {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";", 1)[0])
    .join("; ");
}
