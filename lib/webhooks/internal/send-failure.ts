import type { Failure } from "#lib/webhooks/delivery-states.ts";

/** Why an attempt failed before its answer was complete. */
export class SendFailure extends Error {
  readonly failure: Failure;

  constructor(failure: Failure, detail: string) {
    super(detail);
    this.name = "SendFailure";
    this.failure = failure;
  }
}

/** Maps an error of the system or the HTTP parser to one of our failures. */
export function toSendFailure(error: unknown, otherwise: Failure): SendFailure {
  if (error instanceof SendFailure) {
    return error;
  }
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return new SendFailure(toKind(code) ?? otherwise, toDetail(error));
}

/** If none of several addresses could be reached, the error holds one error for each. */
function toDetail(error: unknown): string {
  if (error instanceof AggregateError) {
    return error.errors.map(toDetail).join("; ");
  }
  return error instanceof Error ? error.message : String(error);
}

function toKind(code: string): Failure | undefined {
  if (code === "ECONNRESET" || code === "EPIPE") {
    return "connection_lost";
  }
  return code.startsWith("HPE_") ? "response_malformed" : undefined;
}
