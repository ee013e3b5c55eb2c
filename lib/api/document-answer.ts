import { gzipSync } from "node:zlib";
import { toOpenApi } from "#lib/api/openapi.ts";
import { toJsonAnswer } from "#lib/api/wire/answer.ts";
import type { Answer, StreamedAnswer } from "#lib/api/wire/answer.ts";
import { acceptsGzip } from "#lib/api/wire/compression.ts";
import { withEntityTag } from "#lib/api/wire/entity-tag.ts";
import { env } from "#lib/base/env.ts";

/** The document changes only with the server, so that caches may keep it for a moment. */
const HEADERS = { "Cache-Control": "public, max-age=60", Vary: "Accept-Encoding" };

let written: { answer: Answer; compressed: Buffer } | undefined;

/** The OpenAPI document as an answer: compressed if the client accepts gzip, and 304 if it already has the document. */
export function toDocumentAnswer({ headers }: Request): Answer | StreamedAnswer {
  const { answer, compressed } = (written ??= writeDocument());
  const condition = headers.get("if-none-match");
  if (!acceptsGzip(headers.get("accept-encoding"))) {
    return withEntityTag(answer, condition);
  }
  // A strong tag belongs to one encoding (RFC 9110, 8.8.3.3).
  const tagged = withEntityTag(answer, condition, "-gzip");
  return tagged.status === answer.status ? toCompressed(tagged, compressed) : tagged;
}

function writeDocument() {
  const answer = toJsonAnswer(200, toOpenApi(env().publicUrl), HEADERS);
  return { answer, compressed: gzipSync(answer.body) };
}

function toCompressed(answer: Answer, bytes: Buffer): StreamedAnswer {
  return {
    ...answer,
    headers: {
      ...answer.headers,
      "Content-Encoding": "gzip",
      "Content-Length": String(bytes.length),
    },
    stream: new Blob([new Uint8Array(bytes)]).stream(),
  };
}
