import { RAW_BODY, toBytes, toSigned, toSigningKey } from "./signing.ts";
import { TOLERANCE_S } from "./times.ts";

/** A notification is not from Floatdeck, or too old: answer 400 and ignore it. */
export class WebhookVerificationError extends Error {
  static override readonly name = "WebhookVerificationError";

  override readonly name = WebhookVerificationError.name;
}

type HeaderSource =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Verifies a notification (Standard Webhooks) and returns its event.
 * @param secret the signing secret, or several while you change from one to the next.
 * @param rawBody the body as it arrived, before it is parsed.
 * @throws WebhookVerificationError; TypeError for a body that was parsed.
 */
export async function verifyWebhook(
  secret: string | readonly string[],
  headers: HeaderSource,
  rawBody: string | Uint8Array,
): Promise<unknown> {
  const [id = "", timestamp = "", given = ""] = ["id", "timestamp", "signature"].map((name) =>
    readHeader(headers, `webhook-${name}`),
  );
  const ageS = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (/\D/u.test(timestamp) || ageS > TOLERANCE_S) {
    throw new WebhookVerificationError(
      `The webhook-timestamp is more than ${TOLERANCE_S} seconds off.`,
    );
  }
  // Of version 1; during a rotation there are two.
  const signatures = given
    .split(" ")
    .filter((each) => each.startsWith("v1,"))
    .flatMap((each) => toBytes(each.slice(3)) ?? []);
  const signed = await toSigned(id, timestamp, rawBody);
  for (const each of [secret].flat()) {
    const key = await toSigningKey(each);
    for (const signature of signatures) {
      // Compares in constant time.
      if (await crypto.subtle.verify("HMAC", key, signature, signed)) {
        return JSON.parse(
          typeof rawBody === "string" ? rawBody : new TextDecoder().decode(rawBody),
        );
      }
    }
  }
  throw new WebhookVerificationError(`No signature matches. ${RAW_BODY}`);
}

function readHeader(headers: HeaderSource, name: string): string {
  const value =
    typeof headers.get === "function"
      ? headers.get(name)
      : Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  if (typeof value !== "string") {
    throw new WebhookVerificationError(`The header ${name} is missing.`);
  }
  return value;
}
