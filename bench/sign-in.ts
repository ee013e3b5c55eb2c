import type { Fixture } from "./fixture.ts";
import type { Served } from "./stage.ts";

/** The path that takes the passwords of people who sign in. */
export const SIGN_IN = "/api/auth/callback/credentials";

/** What the form of the sign-in page sends. */
export function toSignInForm(fields: {
  csrfToken: string;
  email: string;
  password: string;
}): URLSearchParams {
  return new URLSearchParams({ ...fields, json: "true" });
}

/** A sign-in with a token and its cookie, as the sign-in page sends it. */
export function toSignIn({ form, cookie }: { form: URLSearchParams; cookie: string }): Buffer {
  const body = form.toString();
  return Buffer.from(
    `POST ${SIGN_IN} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: ${cookie}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
}

/** Signs the owner in as the sign-in page does. @returns the session cookies. */
export async function signIn(served: Served, { email, password }: Fixture): Promise<string> {
  const { csrfToken, cookie } = await askForToken(served);
  const answer = await fetch(`http://127.0.0.1:${served.port}${SIGN_IN}`, {
    method: "POST",
    headers: { cookie },
    body: toSignInForm({ csrfToken, email, password }),
  });
  if (!answer.ok) {
    throw new Error(`The owner of ${email} could not sign in: ${answer.status}.`);
  }
  return readCookies(answer);
}

/** The token that a form of the sign-in page sends, and the cookie that vouches for it. Both serve any number of times. */
export async function askForToken({
  port,
}: Served): Promise<{ csrfToken: string; cookie: string }> {
  const asked = await fetch(`http://127.0.0.1:${port}/api/auth/csrf`);
  const { csrfToken }: { csrfToken: string } = await asked.json();
  return { csrfToken, cookie: readCookies(asked) };
}

function readCookies({ headers }: Response): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(";", 1)[0])
    .join("; ");
}
