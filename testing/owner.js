// @ts-check

/**
 * Signs the account's owner in.
 * @param {string} baseUrl
 * @param {{ email: string, password: string }} owner
 * @param {string} purpose what needs this.
 * @returns {Promise<Record<string, string>>} the headers of the owner's requests.
 */
export async function signIn(baseUrl, owner, purpose) {
  const { origin } = new URL(baseUrl);
  const asked = await fetch(`${baseUrl}/api/auth/csrf`);
  if (!asked.ok) {
    throw new Error(
      `${purpose} signs the owner in, which needs pages: call startFloatdeck({ pages: true }).`,
    );
  }
  const { csrfToken } = await asked.json();
  const answer = await fetch(`${baseUrl}/api/auth/callback/credentials`, {
    method: "POST",
    redirect: "manual",
    headers: { cookie: toCookies(asked), origin },
    body: new URLSearchParams({ json: "true", csrfToken, ...owner }),
  });
  if (!answer.ok) {
    throw new Error(`The owner could not sign in: ${await answer.text()}`);
  }
  const cookie = [toCookies(asked), toCookies(answer)].join("; ");
  const session = await fetch(`${baseUrl}/api/auth/session`, { headers: { cookie } });
  const { staffId } = await session.json();
  return { cookie, origin, "staff-id": staffId };
}

/** @param {Response} response */
function toCookies(response) {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";", 1)[0])
    .join("; ");
}
