import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { testDatabase } from "#test/database/database.ts";
import { secretOf, until } from "#test/outside/notifications.ts";
import { newId } from "#lib/base/ids.ts";
import { endpointPolicy } from "#lib/webhooks/endpoint-url.ts";
import { toSignatureHeaders } from "#lib/webhooks/internal/signature.ts";
import { newSigningSecret } from "#lib/webhooks/internal/signing-secret.ts";
import { startWorker } from "#lib/webhooks/worker.ts";
import { inbox, InboxRig, useInbox } from "./inbox-rig.ts";

/** A server that other machines can reach: webhooks to its own loopback address are refused. */
const settings = vi.hoisted(() => ({ PUBLIC_URL: "", WEBHOOK_LOOPBACK: "off" }));

vi.mock("#lib/base/env.ts", async (original) => {
  const { withSettings } = await import("#test/run/settings.ts");
  return withSettings(original, settings);
});

useInbox(settings);

const BODY = '{"event":"card.frozen"}';

function sign(secrets: readonly string[], at = new Date()): Record<string, string> {
  return toSignatureHeaders({ id: newId(), at, body: BODY, secrets });
}

const rotate = () => call("POST /webhooks/rotate-secret", { key: inbox.integrator.apiKey });

describe("the way from the account to its inbox", () => {
  test("a webhook is delivered over HTTP and verified, although the server's address is not public", async () => {
    expect(await inbox.setUrl(`${settings.PUBLIC_URL}/elsewhere`)).toBe(422);
    expect(await inbox.setUrl(inbox.url)).toBe(200);
    const worker = startWorker(testDatabase().db, endpointPolicy());
    try {
      await until(inbox.integrator, ({ state }) => state === "delivered");
    } finally {
      await worker.stop();
    }
    const { data } = await inbox.read();
    expect(new Set(data.map(({ event }) => event))).toEqual(
      new Set(["integrator.updated", "webhook.test"]),
    );
    for (const each of data) {
      expect(each).toMatchObject({ verified: true, secret: "current", failure: null });
      expect(each.delivery_id).toBe(JSON.parse(each.body).id);
      const delivery = await call(`GET /webhook-deliveries/${each.delivery_id}`, {
        key: inbox.integrator.apiKey,
      });
      expect(delivery.json).toMatchObject({
        data: { request_body: each.body, attempts: [{ status: 200, url: inbox.url }] },
      });
    }
  });

  test("another integrator's inbox is no exception", async () => {
    const stranger = await InboxRig.create();
    expect(await stranger.setUrl(inbox.url)).toBe(422);
    expect(await stranger.setUrl(stranger.url)).toBe(200);
  });
});

/** Sends a test webhook. @returns the id of its delivery. */
async function sendTest({ integrator: { apiKey: key } }: InboxRig): Promise<string> {
  const { text } = await call("POST /webhooks/test", { key });
  return JSON.parse(text).data.id;
}

describe("the verdict", () => {
  let secret: string;

  beforeEach(async () => {
    await inbox.setUrl(inbox.url);
    secret = await secretOf(inbox.integrator);
  });

  test("right", async () => {
    expect((await inbox.post(BODY, sign([secret]))).status).toBe(200);
    const { data } = await inbox.read();
    expect(data).toEqual([
      expect.objectContaining({
        event: "card.frozen",
        verified: true,
        secret: "current",
        failure: null,
        explanation: null,
        body: BODY,
      }),
    ]);
  });

  test("with a previous secret after each rotation, and only while it is valid", async () => {
    await rotate();
    await inbox.post(BODY, sign([secret]));
    await rotate();
    await inbox.post(BODY, sign([secret]));
    await testDatabase().db.execute(sql`
      update webhook_previous_secrets set created_at = created_at - interval '24 hours'
      where endpoint_id = ${inbox.integrator.id}`);
    await inbox.post(BODY, sign([secret]));
    const { data } = await inbox.read();
    const verified = { verified: true, secret: "previous", failure: null };
    expect(data).toMatchObject([
      { verified: false, secret: null, failure: "signature_mismatch" },
      verified,
      verified,
    ]);
  });

  test("with a wrong secret, too old, and unsigned: each kept and explained", async () => {
    await inbox.post(BODY, sign([newSigningSecret()]));
    await inbox.post(BODY, sign([secret], new Date(Date.now() - 400_000)));
    await inbox.post(BODY);
    const { data } = await inbox.read();
    expect(data.map(({ failure }) => failure)).toEqual([
      "header_missing",
      "timestamp_too_old",
      "signature_mismatch",
    ]);
    for (const { verified, explanation } of data) {
      expect({ verified, explanation }).toEqual({
        verified: false,
        explanation: expect.stringMatching(/\.$/u),
      });
    }
  });

  test("names no delivery of another integrator", async () => {
    const stranger = await InboxRig.create();
    await stranger.setUrl("https://1.1.1.1/");
    const [foreign, own] = [await sendTest(stranger), await sendTest(inbox)];
    for (const id of [foreign, own]) {
      await inbox.post(BODY, { ...sign([secret]), "webhook-id": id });
    }
    const { data } = await inbox.read();
    expect(data.map((each) => each.delivery_id)).toEqual([own, null]);
    expect((await stranger.read()).data).toEqual([]);
  });
});
