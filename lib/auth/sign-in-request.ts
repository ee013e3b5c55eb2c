const REASON = /^\w{1,40}(?::\d{1,6})?$/u;

/** Replaces a missing or foreign reason. The sign-in page has no specific text for it. */
const NO_REASON = "Default";

/**
 * Replaces the reason in a request to `/api/auth/error` unless it is one of our own words. next-auth puts it into a
 * header unchanged, and answers 500 when a header cannot hold it.
 */
export function replaceForeignReason(query: URLSearchParams, action: string | undefined): void {
  if (action === "error" && !REASON.test(query.get("error") ?? "")) {
    query.set("error", NO_REASON);
  }
}

/** Refuses every method but POST on the path that takes passwords: next-auth would answer 500. */
export function refuseReadPassword(
  { method }: Request,
  [action, provider]: readonly string[],
): Response | undefined {
  if (method === "POST" || action !== "callback" || provider !== "credentials") {
    return undefined;
  }
  return Response.json(
    { message: "This path supports POST." },
    { status: 405, headers: { allow: "POST" } },
  );
}

const AS_JSON = /\bapplication\/json\b/iu;

/** Refuses a body that claims to be JSON but is not: next-auth would answer 500 and log a stack trace. */
export async function refuseMalformedBody(request: Request): Promise<Response | undefined> {
  if (request.method !== "POST" || !AS_JSON.test(request.headers.get("content-type") ?? "")) {
    return undefined;
  }
  try {
    await request.clone().json();
    return undefined;
  } catch {
    return Response.json({ message: "The body must be valid JSON." }, { status: 400 });
  }
}
