import { respond, toResponse } from "#lib/api/edge/respond.ts";
import type { WireAnswer } from "#lib/api/edge/respond.ts";
import { openRequestContext } from "#lib/api/edge/internal/request-context.ts";
import { DomainError } from "#lib/base/errors.ts";

/** Refuses a request that no route serves. */
export function refuseUnserved(
  request: Request,
  address: string | null,
  { refusal, headers = {} }: { refusal: DomainError; headers?: Record<string, string> },
): Promise<WireAnswer> {
  const context = openRequestContext(request, null, address);
  context.headers = headers;
  return respond(context, () => Promise.reject(refusal));
}

/** Answers a path that has no route. */
export async function refuseUnknownPath(request: Request): Promise<Response> {
  return toResponse(await refuseUnserved(request, null, { refusal: pathUnknown() }));
}

export function pathUnknown(): DomainError {
  return new DomainError("path_unknown", "No resource exists at this path.");
}
