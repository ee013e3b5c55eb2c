import { z } from "zod";
import { DomainError } from "#lib/base/errors.ts";
import { seal, unseal } from "#lib/base/seal.ts";
import { HEADERS_MAX, REDACTED, TOO_MANY_HEADERS } from "#lib/base/webhook-headers.ts";

/** Additional headers of each request to an endpoint, by lowercase name. */
export type Headers = Readonly<Record<string, string>>;

/** A change of headers: null removes one. */
export type HeadersChange = Readonly<Record<string, string | null>>;

const stored = z.record(z.string(), z.string());

/** Opens the headers of an endpoint. */
export function openHeaders(sealed: string | null, endpointId: string): Headers {
  return sealed === null
    ? {}
    : stored.parse(JSON.parse(unseal(sealed, "webhook headers", endpointId)));
}

/** @returns null when there are none. */
export function sealHeaders(headers: Headers, endpointId: string): string | null {
  return Object.keys(headers).length === 0
    ? null
    : seal(JSON.stringify(headers), "webhook headers", endpointId);
}

/**
 * Applies a change; headers that it does not name stay.
 * @throws DomainError `validation_failed` when there are too many.
 */
export function changeHeaders(headers: Headers, change: HeadersChange): Headers {
  const changed = new Map(Object.entries(headers));
  for (const [given, value] of Object.entries(change)) {
    const name = given.toLowerCase();
    if (value === null) {
      changed.delete(name);
    } else {
      changed.set(name, value);
    }
  }
  if (changed.size > HEADERS_MAX) {
    throw new DomainError("validation_failed", TOO_MANY_HEADERS, { headers: [TOO_MANY_HEADERS] });
  }
  return Object.fromEntries(changed);
}

/** Replaces the headers' values for display. */
export function redact(headers: Headers): Headers {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, REDACTED]));
}
