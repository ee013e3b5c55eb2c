import type { Instrumentation } from "next";
import { isDomainError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";

/**
 * Logs a page that failed, with the request's id, which the person sees: Next.js calls this, and logs nothing itself. A page
 * without its database is logged once, where it is read.
 */
export const onRequestError: Instrumentation.onRequestError = (error, { path, headers }) => {
  if (isDomainError(error) && error.code === "database_unavailable") {
    return;
  }
  log.error(
    {
      err: error,
      requestId: headers["x-request-id"],
      digest: toDigest(error),
      path: path.split("?", 1)[0],
    },
    "A page failed.",
  );
};

/** Next.js adds it to each error of a render. */
function toDigest(error: unknown): unknown {
  return error instanceof Error && "digest" in error ? error.digest : undefined;
}
