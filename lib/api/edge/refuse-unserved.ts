import { respond, toResponse } from "#lib/api/edge/respond.ts";
import type { WireAnswer } from "#lib/api/wire/answer.ts";
import { toHint } from "#lib/api/edge/internal/near-miss.ts";
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
  const segments = new URL(request.url).pathname.split("/").slice(2);
  const refusal = pathUnknown(request.method, segments);
  return toResponse(await refuseUnserved(request, null, { refusal }));
}

/** @param segments the path's below `/api`. */
export function pathUnknown(method: string, segments: readonly string[]): DomainError {
  return new DomainError(
    "path_unknown",
    withHint("No resource exists at this path.", method, segments),
  );
}

/** Refuses another spelling of a path below `/api`. */
export function pathDisguised(method: string, path: string): DomainError {
  const segments = path.split("/").filter((segment) => segment !== "api");
  return pathUnknown(method, segments);
}

/** Refuses a program's request to a page's address: it has probably left out `/api`. */
export function apiForgotten(method: string, path: string): DomainError {
  return new DomainError(
    "path_unknown",
    withHint("The paths of the API begin with /api.", method, path.split("/")),
  );
}

/** The sentence, followed by the operation that was probably meant. */
export function withHint(sentence: string, method: string, segments: readonly string[]): string {
  return [sentence, toHint(method, segments)].filter(Boolean).join(" ");
}
