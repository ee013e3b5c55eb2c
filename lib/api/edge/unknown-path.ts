import { openRequestContext } from "#lib/api/edge/request-context.ts";
import { respond } from "#lib/api/edge/bind.ts";
import { DomainError } from "#lib/base/errors.ts";

/** Answers a path that has no route. */
export function refuseUnknownPath(request: Request): Promise<Response> {
  return respond(openRequestContext(request, null), () =>
    Promise.reject(new DomainError("path_unknown", "No resource exists at this path.")),
  );
}
