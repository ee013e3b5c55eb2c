import { afterAll, beforeAll, beforeEach } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { newIntegrator } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { EdgeRig } from "./edge-rig.ts";

/** A notification as the API returns it. */
export interface Received {
  id: string;
  event: string | null;
  delivery_id: string | null;
  verified: boolean;
  secret: string | null;
  failure: string | null;
  explanation: string | null;
  headers: Record<string, string>;
  body: string;
}

interface Listed {
  url: string | null;
  data: Received[];
  next_cursor: string | null;
}

/** The server of a file's tests, and the inbox of each test. */
export let edge: EdgeRig;
export let inbox: InboxRig;

/** @param settings receive the server's address. */
export function useInbox(settings: { PUBLIC_URL: string }): void {
  beforeAll(async () => {
    edge = await EdgeRig.start();
    settings.PUBLIC_URL = `http://127.0.0.1:${edge.port}`;
  });
  beforeEach(async () => {
    edge.reset();
    inbox = await InboxRig.create();
  });
  afterAll(() => edge.stop());
}

/** An integrator with an inbox, and what can be done with both. */
export class InboxRig {
  readonly integrator: TestIntegrator;
  readonly url: string;

  private constructor(integrator: TestIntegrator, url: string) {
    this.integrator = integrator;
    this.url = url;
  }

  static async create(): Promise<InboxRig> {
    const integrator = await newIntegrator();
    const { text } = await call("POST /sandbox/inbox", { key: integrator.apiKey });
    return new InboxRig(integrator, JSON.parse(text).data.url);
  }

  /** Posts to the inbox without credentials, like any sender that knows the address. */
  post(
    body: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    return fetch(this.url, { method: "POST", headers, body, redirect: "manual" });
  }

  async read(query = ""): Promise<Listed> {
    const { text } = await call(`GET /sandbox/inbox${query}`, { key: this.integrator.apiKey });
    return JSON.parse(text);
  }

  /** Sets the account's webhook URL. @returns the status of the answer. */
  async setUrl(webhook_url: string): Promise<number> {
    const { status } = await call("PATCH /card-integrators/update", {
      key: this.integrator.apiKey,
      body: { webhook_url },
    });
    return status;
  }
}
