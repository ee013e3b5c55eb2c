import type { DocumentedOperation } from "./fuzz-document.ts";
import type { Made } from "./fuzz-requests.ts";
import type { Answered } from "./fuzz-wire.ts";

/** Refusals by the HTTP edge before any operation runs; the document does not list them. */
const EDGE: ReadonlySet<string> = new Set([
  "400 request_malformed",
  "404 path_unknown",
  "405 method_not_allowed",
  "408 request_timeout",
  "413 body_too_large",
  "415 content_type_unsupported",
  "417 expectation_failed",
  "421 host_unknown",
  "431 headers_too_large",
]);

/** Why a response differs from the document; null when it conforms. */
export function findFault({ operation, method }: Made, answered: Answered): string | null {
  const { status, text } = answered;
  if (status === 0 || status === 500) {
    return status === 0 ? "no answer" : "an internal error";
  }
  if (method === "HEAD") {
    return text === "" ? null : "a body in the answer to HEAD";
  }
  if (status < 400 && method !== operation.method) {
    return "an answer to a method that is not declared";
  }
  return status < 400 ? operation.findFault(answered) : findRefusalFault(operation, answered);
}

function findRefusalFault(operation: DocumentedOperation, answered: Answered): string | null {
  const { status, mediaType, text } = answered;
  if (mediaType !== "application/problem+json") {
    return `a refusal as ${mediaType}`;
  }
  const { code }: { code: string } = JSON.parse(text);
  if (!operation.codes.get(status)?.has(code) && !EDGE.has(`${status} ${code}`)) {
    return `${status} ${code} is not declared`;
  }
  // All problems have the one schema, which every operation declares with its 422.
  return operation.findFault({ ...answered, status: 422 });
}

/** A fault as a person reads it, without credentials. */
export function describeFault({ made, answered, fault }: Found): string {
  const { operation, method, target, headers, body } = made;
  const { "X-Forwarded-For": _address, Cookie: _cookie, Authorization: _key, ...shown } = headers;
  return [
    `${operation.id}: ${fault}`,
    `  ${method} ${target.slice(0, 300)} ${JSON.stringify(shown).slice(0, 300)} ${String(body).slice(0, 400)}`,
    `  ${answered.status} ${answered.text.slice(0, 300)}`,
  ].join("\n");
}

interface Found {
  made: Made;
  answered: Answered;
  fault: string;
}
