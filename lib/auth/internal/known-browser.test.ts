import { encode } from "next-auth/jwt";
import { expect, test } from "vitest";
import { findKnownBrowser, toBrowserCookie } from "#lib/auth/internal/known-browser.ts";
import { sessionCookieName, sessionSecrets } from "#lib/auth/session.ts";
import { newId } from "#lib/base/ids.ts";

const [KIM, ADA] = [newId(), newId()];

/** What the browser sends after it has received the cookie. */
async function cookiesAfter(staffIds: readonly string[], cookies: string | null = null) {
  let sent = cookies;
  for (const staffId of staffIds) {
    const { name, value } = await toBrowserCookie(await findKnownBrowser(sent), staffId);
    sent = `theme=dark; ${name}=${value}`;
  }
  return sent;
}

test("a browser is known as the same one by everybody who has signed in with it, latest first", async () => {
  const first = await findKnownBrowser(await cookiesAfter([KIM]));
  expect(first).toEqual({ id: expect.any(String), people: [KIM] });
  const cookies = await cookiesAfter([KIM, ADA, KIM]);
  expect(await findKnownBrowser(cookies)).toEqual({ id: expect.any(String), people: [KIM, ADA] });
  const again = await findKnownBrowser(await cookiesAfter([ADA], await cookiesAfter([KIM])));
  expect(again?.people).toEqual([ADA, KIM]);
});

test("the id stays when another person signs in, so that nobody gets a new budget", async () => {
  const before = await cookiesAfter([KIM]);
  const after = await cookiesAfter([ADA], before);
  expect((await findKnownBrowser(after))?.id).toBe((await findKnownBrowser(before))?.id);
});

test("a browser forgets whoever signed in the longest ago when many share it", async () => {
  const people = Array.from({ length: 9 }, newId);
  const known = await findKnownBrowser(await cookiesAfter(people));
  expect(known?.people).toEqual(people.toReversed().slice(0, 8));
});

test("the cookie lives for 400 days, and no page's script reads it", async () => {
  const cookie = await toBrowserCookie(null, KIM);
  expect(cookie).toMatchObject({
    httpOnly: true,
    sameSite: "lax",
    path: "/",
    secure: false,
    maxAge: 34_560_000,
  });
  expect(cookie.value.length).toBeLessThan(1_000);
});

test("a cookie that we did not make, or made as a session's, makes no browser known", async () => {
  const claims = { browser: newId(), people: [KIM], sessionToken: "token" };
  const foreign = await encode({ token: claims, secret: "another" });
  const session = await encode({ token: claims, secret: sessionSecrets()[0] });
  for (const value of [foreign, session, "", "nonsense", JSON.stringify(claims)]) {
    expect(await findKnownBrowser(`floatdeck.browser=${value}`)).toBeNull();
  }
  expect(await findKnownBrowser(null)).toBeNull();
  const known = (await cookiesAfter([KIM])) ?? "";
  expect(
    await findKnownBrowser(known.replace("floatdeck.browser", sessionCookieName())),
  ).toBeNull();
});
