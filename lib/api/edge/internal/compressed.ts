import type { RequestContext } from "#lib/api/edge/internal/request-context.ts";
import type { WireAnswer } from "#lib/api/wire/answer.ts";
import { acceptsGzip, toGzip } from "#lib/api/wire/compression.ts";

/** Below this, compressing costs more than it saves. Single resources are smaller. */
const LENGTH_MIN = 4_096;

/** The answer, compressed if it is a long list and its reader accepts that. */
export async function compressed(context: RequestContext, answer: WireAnswer): Promise<WireAnswer> {
  const { status, headers, body } = answer;
  if (
    !mayCompress(context) ||
    status !== context.operation?.status ||
    typeof body !== "string" ||
    body.length < LENGTH_MIN
  ) {
    return answer;
  }
  return {
    status,
    headers: { ...headers, "content-encoding": "gzip", vary: "Accept-Encoding" },
    body: new Uint8Array(await toGzip(body)),
  };
}

/**
 * Compresses only for API keys. No other site can make a browser send one, so nobody can mix text of their own into
 * an answer and guess the rest from its length (BREACH).
 */
function mayCompress({ operation, credential, request }: RequestContext): boolean {
  return (
    operation?.kind === "read" &&
    !operation.tagged &&
    (credential?.apiKeyId ?? null) !== null &&
    acceptsGzip(request.headers.get("accept-encoding"))
  );
}
