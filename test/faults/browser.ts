import { setTimeout as sleep } from "node:timers/promises";

const PAGES_TIMEOUT_MS = 60_000;
/** Fails a request, rather than the test that waits for it, when its server was killed in the middle of the answer. */
const ANSWER_TIMEOUT_MS = 60_000;

/** Sign-in is served with the pages, which are ready a few seconds after the API. */
export async function waitForPages(baseUrl: string): Promise<void> {
  const page = new URL("/sign-in", baseUrl);
  const deadline = performance.now() + PAGES_TIMEOUT_MS;
  while ((await fetch(page)).status !== 200) {
    if (performance.now() > deadline) {
      throw new Error(`${page.href} did not answer.`);
    }
    await sleep(200);
  }
}

/** Keeps a browser's cookies, and, once someone has signed in, the id that their pages send. */
export class Browser {
  private readonly cookies = new Map<string, string>();
  private staffId: string | null = null;

  async send(
    url: string,
    init: Omit<RequestInit, "headers"> & { headers?: Record<string, string> } = {},
  ): Promise<Response> {
    const answer = await fetch(url, {
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
      ...init,
      headers: {
        "sec-fetch-site": "same-origin",
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        ...(this.staffId === null ? {} : { "staff-id": this.staffId }),
        ...init.headers,
      },
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [name = "", value = ""] = (cookie.split(";", 1)[0] ?? "").split(/=(?<value>.*)/su);
      this.cookies.set(name, value);
    }
    return answer;
  }

  /**
   * Signs in with a form from one server, sent to another.
   * @throws Error when that is refused.
   */
  async signIn(
    { email, password }: { email: string; password: string },
    { form, target }: { form: string; target: string },
  ): Promise<void> {
    const { csrfToken } = await (await this.send(`${form}/auth/csrf`)).json();
    const answer = await this.send(`${target}/auth/callback/credentials`, {
      method: "POST",
      body: new URLSearchParams({ csrfToken, email, password, code: "", json: "true" }),
    });
    const text = await answer.text();
    if (answer.status !== 200 || !/"url":"[^?]*"/u.test(text)) {
      throw new Error(`Signing in was answered ${answer.status} ${text}`);
    }
    const session = await this.send(`${target}/auth/session`);
    ({ staffId: this.staffId } = await session.json());
  }
}
