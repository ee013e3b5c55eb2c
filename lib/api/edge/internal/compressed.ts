import type { RequestContext } from "#lib/api/edge/internal/request-context.ts";
import type { WireAnswer } from "#lib/api/wire/answer.ts";
import { acceptsGzip, toGzip } from "#lib/api/wire/compression.ts";

/** Below this, compressing costs more than it saves. Single resources are smaller. */
const LENGTH_MIN = 4_096;

/**
 * The answer, compressed if it is a long list and its reader accepts that. Only for API keys: no other site can have a browser
 * send one, so nobody can guess what is in an answer by its length beside text of their own (BREACH).
 */
export async function compressed(
  { operation, credential, request }: RequestContext,
  answer: WireAnswer,
): Promise<WireAnswer> {
  const { status, headers, body } = answer;
  if (
    operation?.kind !== "read" ||
    operation.tagged ||
    (credential?.apiKeyId ?? null) === null ||
    status !== operation.status ||
    typeof body !== "string" ||
    body.length < LENGTH_MIN ||
    !acceptsGzip(request.headers.get("accept-encoding"))
  ) {
    return answer;
  }
  return {
    status,
    headers: { ...headers, "content-encoding": "gzip", vary: "Accept-Encoding" },
    body: new Uint8Array(await toGzip(body)),
  };
}
