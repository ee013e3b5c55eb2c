import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { findFreePort } from "#db/postmaster.ts";
import { readBlocks } from "#test/scene/guide-blocks.ts";
import { newSigningSecret } from "#lib/webhooks/internal/signing-secret.ts";
import { toSignatureHeaders } from "#lib/webhooks/internal/signature.ts";

/** Runs the verifier and the receiver of the guides as printed, in a project that has the library they name. */

const folder = mkdtempSync(path.join(tmpdir(), "floatdeck-snippets-"));
symlinkSync(
  path.join(import.meta.dirname, "../../node_modules"),
  path.join(folder, "node_modules"),
);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const secret = newSigningSecret();
const previous = newSigningSecret();
const body = JSON.stringify({ event: "card.frozen", comment: "Café" });

function sign(at: Date, secrets: string[], signed = body): Record<string, string> {
  const id = "01a1fd0f-6cef-7000-af0a-b8e42141223d";
  return toSignatureHeaders({ id, at, body: signed, secrets });
}

/** Saves the only block of a guide with this use. */
function save(guide: string, use: string, file: string): { file: string; text: string } {
  const [block, ...others] = readBlocks(guide).filter((each) => each.use === use);
  expect(others).toEqual([]);
  return { file: path.join(folder, file), text: block?.text ?? "" };
}

describe("the verifier of the guide, of which there is one", async () => {
  const { file, text } = save("webhooks.md", "verify", "verify.mjs");
  writeFileSync(file, text);
  const { verify }: { verify: (...given: unknown[]) => { event: string } } = await import(
    pathToFileURL(file).href
  );

  test("accepts a signed body, even with another secret's signature alongside", () => {
    for (const secrets of [[secret], [secret, previous], [previous, secret]]) {
      expect(verify(secret, sign(new Date(), secrets), body).event).toBe("card.frozen");
    }
  });

  test("refuses a wrong secret, a tampered body and a stale or future time", () => {
    const headers = sign(new Date(), [secret]);
    const late = sign(new Date(Date.now() - 400_000), [secret]);
    const early = sign(new Date(Date.now() + 400_000), [secret]);
    for (const given of [
      [previous, headers, body],
      [secret, headers, body.replace("frozen", "closed")],
      [secret, late, body],
      [secret, early, body],
      [secret, {}, body],
    ]) {
      expect(() => verify(...given)).toThrow(/signature|timestamp|headers/iu);
    }
  });
});

/** The quick start's receiver, listening. */
async function startReceiver(): Promise<{ port: number; process: ChildProcess }> {
  const { file, text } = save("quick-start.md", "receiver.mjs", "receiver.mjs");
  const port = await findFreePort();
  writeFileSync(file, text.replaceAll("4000", String(port)));
  const process = spawn(globalThis.process.execPath, [file], {
    env: { ...globalThis.process.env, WEBHOOK_SECRET: secret },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(process.stdout, "data");
  return { port, process };
}

test("the quick start's receiver survives any stranger's POST", async () => {
  const { port, process } = await startReceiver();
  const send = (given: RequestInit) =>
    fetch(`http://127.0.0.1:${port}/`, { method: "POST", ...given }).then(
      ({ status }) => status,
      () => "no answer",
    );
  const signed = sign(new Date(), [secret]);
  try {
    const strange: RequestInit[] = [
      {},
      { body: "{}" },
      { body: new Uint8Array([0, 255, 254]) },
      { body, headers: { ...signed, "webhook-signature": "" } },
      { body, headers: { ...signed, "webhook-signature": "v1, ,v1,x" } },
      { body, headers: { ...signed, "webhook-timestamp": "soon" } },
      { body, headers: sign(new Date(), [previous]) },
      { body: "no JSON", headers: sign(new Date(), [secret], "no JSON") },
      { method: "GET" },
    ];
    for (const each of strange) {
      expect(await send(each)).toBe(401);
    }
    expect([401, "no answer"]).toContain(await send({ body: "x".repeat(5_000_000) }));
    await sendRaw(port, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf");
    await sendRaw(port, "no HTTP at all\r\n\r\n");
    expect(await send({ body, headers: signed })).toBe(204);
    expect(process.exitCode).toBeNull();
  } finally {
    process.kill();
    await once(process, "exit");
  }
});

/** Sends bytes and hangs up. */
async function sendRaw(port: number, text: string): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.write(text);
  socket.resetAndDestroy();
}
