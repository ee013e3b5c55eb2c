import { timingSafeEqual } from "node:crypto";
import { sign } from "#lib/webhooks/internal/signature.ts";
import type { SignatureFault } from "#lib/webhooks/signature-faults.ts";
import { TOLERANCE_S } from "#lib/webhooks/signature-faults.ts";

/** A notification as it arrived, and when. */
export interface Arrived {
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  at: Date;
}

/** The signing secrets that are valid now. */
export interface Secrets {
  current: string;
  /** Those that were rotated out within the last 24 hours. */
  previous: readonly string[];
}

/** Which secret verified a notification, or why none did. */
export type Verdict =
  | { secret: keyof Secrets; fault: null }
  | { secret: null; fault: SignatureFault };

/** Verifies a notification as a receiver should: by Standard Webhooks, over the raw body, within five minutes. */
export function verifySignature({ headers, body, at }: Arrived, secrets: Secrets): Verdict {
  const {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signature,
  } = headers;
  if (id === undefined || timestamp === undefined || signature === undefined) {
    return failed("header_missing");
  }
  const fault = findTimestampFault(timestamp, at);
  if (fault) {
    return failed(fault);
  }
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
  const given = toSignatures(signature);
  const isSignedWith = (secret: string) => {
    const expected = sign(secret, signed);
    return given.some((each) => each.length === expected.length && timingSafeEqual(each, expected));
  };
  if (isSignedWith(secrets.current)) {
    return { secret: "current", fault: null };
  }
  return secrets.previous.some(isSignedWith)
    ? { secret: "previous", fault: null }
    : failed("signature_mismatch");
}

function failed(fault: SignatureFault): Verdict {
  return { secret: null, fault };
}

function findTimestampFault(timestamp: string, at: Date): SignatureFault | undefined {
  if (!/^[0-9]{1,12}$/u.test(timestamp)) {
    return "timestamp_malformed";
  }
  const ageS = at.getTime() / 1_000 - Number(timestamp);
  if (Math.abs(ageS) <= TOLERANCE_S) {
    return undefined;
  }
  return ageS > 0 ? "timestamp_too_old" : "timestamp_too_new";
}

/** The signatures of version 1; after a rotation there are several. */
function toSignatures(header: string): Buffer[] {
  return header
    .split(" ")
    .filter((each) => each.startsWith("v1,"))
    .map((each) => Buffer.from(each.slice("v1,".length), "base64"));
}
