/** A notification is not from Floatdeck, or too old: answer 400 and ignore it. */
export class WebhookVerificationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "WebhookVerificationError";
  }
}

type HeaderSource =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

const TOLERANCE_S = 300;
const SECRET_PREFIX = "whsec_";

/**
 * Verifies a notification (Standard Webhooks) and returns its event.
 * @param secret the signing secret, or several while you change from one to the next.
 * @param rawBody the body as it arrived, before it is parsed.
 * @throws WebhookVerificationError
 */
export async function verifyWebhook(
  secret: string | readonly string[],
  headers: HeaderSource,
  rawBody: string | Uint8Array,
): Promise<unknown> {
  const id = readHeader(headers, "webhook-id");
  const timestamp = readHeader(headers, "webhook-timestamp");
  const given = readHeader(headers, "webhook-signature");
  const ageS = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (!/^[0-9]+$/u.test(timestamp) || ageS > TOLERANCE_S) {
    throw new WebhookVerificationError(
      `The webhook-timestamp is more than ${TOLERANCE_S} seconds off.`,
    );
  }
  const body = typeof rawBody === "string" ? new TextEncoder().encode(rawBody) : rawBody;
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(head.length + body.length);
  signed.set(head);
  signed.set(body, head.length);
  const secrets = typeof secret === "string" ? [secret] : secret;
  if (!(await isSigned(secrets, toSignatures(given), signed))) {
    throw new WebhookVerificationError("No signature matches the signing secret.");
  }
  return JSON.parse(new TextDecoder().decode(body));
}

/** Whether any of the signatures was made with any of the secrets. */
async function isSigned(
  secrets: readonly string[],
  signatures: readonly Uint8Array<ArrayBuffer>[],
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  for (const secret of secrets) {
    const bytes = toBytes(secret.startsWith(SECRET_PREFIX) ? secret.slice(6) : secret);
    if (!bytes || bytes.length === 0) {
      throw new TypeError("The signing secret must be whsec_ and base64.");
    }
    const key = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["verify"]);
    for (const signature of signatures) {
      // Compares in constant time.
      if (await crypto.subtle.verify("HMAC", key, signature, signed)) {
        return true;
      }
    }
  }
  return false;
}

/** The signatures of version 1; during a rotation there are two. */
function toSignatures(header: string): Uint8Array<ArrayBuffer>[] {
  return header
    .split(" ")
    .filter((each) => each.startsWith("v1,"))
    .flatMap((each) => toBytes(each.slice(3)) ?? []);
}

function toBytes(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
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
