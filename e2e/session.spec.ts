import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "@playwright/test";
import type { APIRequestContext } from "@playwright/test";
import { readToken, register, sendSignIn, test, toPageHeaders } from "./fixtures.ts";
import { PASSWORD } from "#test/scene/people.ts";

async function isSignedIn(request: APIRequestContext): Promise<boolean> {
  const headers = await toPageHeaders(request);
  return (await request.get("/api/card-integrators/me", { headers })).status() === 200;
}

test("the right password opens a session, whose cookie no script can read", async ({ request }) => {
  const { email } = await register(request);
  const csrfToken = await readToken(request);
  const answer = await sendSignIn(request, { csrfToken, email, password: PASSWORD });
  expect(answer.status()).toBe(200);
  expect(answer.headers()["set-cookie"]).toMatch(
    /floatdeck\.session=[^;]+; Path=\/; Expires=[^;]+; HttpOnly; SameSite=lax/u,
  );
  expect(await isSignedIn(request)).toBe(true);
  const session = await (await request.get("/api/auth/session")).json();
  expect(Object.keys(session)).toEqual(["expires", "staffId"]);
});

test("signing in again ends the session that this browser had, and a failed attempt does not", async ({
  request,
  playwright,
  baseURL,
}) => {
  const { email } = await register(request);
  const csrfToken = await readToken(request);
  const enter = (password: string) => sendSignIn(request, { csrfToken, email, password });
  await enter(PASSWORD);
  const earlier = await playwright.request.newContext({
    baseURL: baseURL ?? "",
    storageState: await request.storageState(),
  });
  await enter("another password");
  expect(await isSignedIn(earlier)).toBe(true);
  await enter(PASSWORD);
  expect(await isSignedIn(request)).toBe(true);
  expect(await isSignedIn(earlier)).toBe(false);
  await earlier.dispose();
});

test("a wrong password is the same refusal for a known and an unknown name", async ({
  request,
}) => {
  const { email } = await register(request);
  const csrfToken = await readToken(request);
  const answers = [];
  for (const name of [email, `nobody-${email}`]) {
    const answer = await sendSignIn(request, {
      csrfToken,
      email: name,
      password: "wrong horse battery",
    });
    answers.push([answer.status(), await answer.text()]);
  }
  expect(answers[0]).toEqual(answers[1]);
  expect(answers[0]).toEqual([401, expect.stringContaining("error=CredentialsSignin")]);
  expect(await isSignedIn(request)).toBe(false);
});

test("without the token against forgery nothing is opened", async ({ request }) => {
  const { email } = await register(request);
  for (const csrfToken of ["", "forged"]) {
    await sendSignIn(request, { csrfToken, email, password: PASSWORD });
    expect(await isSignedIn(request)).toBe(false);
  }
});

test("what is no text, or text that nobody can have, is a refusal like any other", async ({
  request,
}) => {
  const csrfToken = await readToken(request);
  for (const data of [
    { email: ["a"], password: { length: 12 } },
    { email: "a\0@example.com", password: "\0" },
    { email: "a".repeat(10_000), password: "b".repeat(10_000) },
    {},
  ]) {
    const answer = await request.post("/api/auth/callback/credentials", {
      data: { csrfToken, json: "true", ...data },
    });
    expect([answer.status(), await answer.text()]).toEqual([
      401,
      expect.stringContaining("error=CredentialsSignin"),
    ]);
  }
});

test("no GET of the sign-in's own paths signs a person in or out", async ({ request }) => {
  const { email } = await register(request);
  const csrfToken = await readToken(request);
  const query = new URLSearchParams({ csrfToken, email, password: PASSWORD, json: "true" });
  await request.get(`/api/auth/callback/credentials?${query}`);
  expect(await isSignedIn(request)).toBe(false);
  await sendSignIn(request, { csrfToken, email, password: PASSWORD });
  await request.get("/api/auth/signout");
  expect(await isSignedIn(request)).toBe(true);
});

test("too many failures ask to wait, and say how long, for a known and an unknown name alike", async ({
  page,
  request,
}) => {
  const { email } = await register(request);
  const csrfToken = await readToken(request);
  const password = "wrong horse battery";
  for (const name of [email, `nobody-${email}`]) {
    for (let failed = 0; failed < 5; failed += 1) {
      await sendSignIn(request, { csrfToken, email: name, password });
    }
    await page.goto("/sign-in");
    await page.getByLabel("Email").fill(name);
    await page.getByLabel("Password").fill(password);
    // From the fifth failure on, each wait is twice as long as the one before.
    const alert = page.locator("form").getByRole("alert");
    let told = "We couldn't sign you in. Check your email, password, and code.";
    while (told.startsWith("We couldn't sign you in.")) {
      // Pressing the button removes the previous attempt's alert.
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      told = await alert.innerText();
    }
    expect(told).toMatch(
      /^Too many failed attempts\. Wait [0-9]+ (?:second|minute)s?, then try again\.$/u,
    );
  }
});

test("a browser that has signed in before is not delayed by a stranger at the same address", async ({
  request,
  playwright,
  baseURL,
}) => {
  const { email } = await register(request);
  const extraHTTPHeaders = { "x-forwarded-for": "2001:db8::7" };
  const open = () => playwright.request.newContext({ baseURL: baseURL ?? "", extraHTTPHeaders });
  const [known, stranger] = [await open(), await open()];
  const tryToEnter = async (context: APIRequestContext, password: string) =>
    sendSignIn(context, { csrfToken: await readToken(context), email, password });
  const first = await tryToEnter(known, PASSWORD);
  expect(first.headers()["set-cookie"]).toMatch(
    /floatdeck\.browser=[^;]+; Path=\/; Expires=[^;]+; Max-Age=34560000; HttpOnly; SameSite=lax/u,
  );
  // Until there is a wait of eight seconds, which the next two attempts do not outlast. Nothing is counted during a wait.
  for (let waitS = 0; waitS < 8;) {
    await sleep(waitS * 1_000);
    const answer = await (await tryToEnter(stranger, "wrong horse battery")).text();
    waitS = Number(/throttled%3A(?<seconds>\d+)/u.exec(answer)?.groups?.["seconds"] ?? 0);
  }
  expect(await (await tryToEnter(stranger, PASSWORD)).text()).toContain("throttled");
  expect((await tryToEnter(known, PASSWORD)).status()).toBe(200);
});

test("of next-auth there is only what signing in needs, and malformed JSON is 400", async ({
  request,
}) => {
  // As bytes: a text would be sent as a JSON string.
  const malformed = { data: Buffer.from("{"), headers: { "content-type": "application/json" } };
  const statuses = [
    await request.post("/api/auth/signout", malformed),
    await request.post("/api/auth/callback/credentials", malformed),
    await request.post("/api/auth/_log", { data: { code: "x", message: "a".repeat(60_000) } }),
    await request.get("/api/auth/verify-request"),
    await request.post("/sign-in", { headers: { "next-action": "40c0ffee" }, data: [] }),
    await request.get("/api/auth/error?error=%E2%80%A6%0d%0a", { maxRedirects: 0 }),
    await request.get("/api/auth/error/%E2%80%A6", { maxRedirects: 0 }),
  ].map((answer) => answer.status());
  expect(statuses).toEqual([400, 400, 404, 404, 404, 302, 404]);
});

for (const target of [
  "\\\\evil.example",
  "//evil.example",
  "/.//evil.example",
  "/\\evil.example",
  "evil.example",
  "https://evil.example/cards",
  "javascript:alert(1)",
]) {
  test(`signing in with the target ${target} succeeds and leads to a page of ours`, async ({
    request,
    baseURL,
  }) => {
    const { email } = await register(request);
    const csrfToken = await readToken(request);
    const asked = await request.get(
      `/api/auth/signin?callbackUrl=${encodeURIComponent(target)}&callbackUrl=`,
      { maxRedirects: 0 },
    );
    expect(asked.status()).toBe(302);
    const answer = await sendSignIn(request, {
      csrfToken,
      email,
      password: PASSWORD,
      callbackUrl: target,
    });
    expect(answer.status()).toBe(200);
    expect(await answer.json()).toEqual({ url: `${baseURL}/overview` });
    const page = await request.get(`/sign-in?callbackUrl=${encodeURIComponent(target)}`, {
      maxRedirects: 0,
    });
    expect(page.headers()["location"]).toBe("/overview");
    const twice = await request.get("/sign-in?callbackUrl=a&callbackUrl=b&email=a&email=b");
    expect(twice.status()).toBe(200);
  });
}

test("a target that a cookie remembers and that is none of ours is forgotten", async ({
  request,
}) => {
  const headers = { cookie: `next-auth.callback-url=${encodeURIComponent("\\\\evil.example")}` };
  const answer = await request.get("/api/auth/csrf", { headers });
  expect(answer.status()).toBe(200);
});
