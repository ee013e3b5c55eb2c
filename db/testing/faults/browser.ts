import { expect, vi } from "vitest";

/** Sign-in is served with the pages, which are ready a few seconds after the API. */
export async function waitForPages(baseUrl: string): Promise<void> {
  const page = new URL("/sign-in", baseUrl);
  await vi.waitUntil(async () => (await fetch(page)).status === 200, {
    timeout: 60_000,
    interval: 200,
  });
}

/** Keeps a browser's cookies. */
export class Browser {
  private readonly cookies = new Map<string, string>();

  async send(
    url: string,
    init: Omit<RequestInit, "headers"> & { headers?: Record<string, string> } = {},
  ): Promise<Response> {
    const answer = await fetch(url, {
      redirect: "manual",
      ...init,
      headers: {
        "sec-fetch-site": "same-origin",
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        ...init.headers,
      },
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [name = "", value = ""] = (cookie.split(";", 1)[0] ?? "").split(/=(?<value>.*)/su);
      this.cookies.set(name, value);
    }
    return answer;
  }

  /** Signs in with a form from one server, sent to another. */
  async signIn(
    { email, password }: { email: string; password: string },
    { form, target }: { form: string; target: string },
  ): Promise<void> {
    const { csrfToken } = await (await this.send(`${form}/auth/csrf`)).json();
    const answer = await this.send(`${target}/auth/callback/credentials`, {
      method: "POST",
      body: new URLSearchParams({ csrfToken, email, password, code: "", json: "true" }),
    });
    expect([answer.status, await answer.text()]).toEqual([
      200,
      expect.stringMatching(/"url":"[^?]*"/u),
    ]);
  }
}
