import { getOpenApi as operation } from "#lib/operations/server/get-open-api.ts";
import { toDocumentAnswer } from "#lib/api/document-answer.ts";
import { servePublic } from "#lib/api/edge/serve.ts";

export const GET = servePublic(operation, ({ request }) =>
  Promise.resolve(toDocumentAnswer(request)),
);
