import { getOpenApi as operation } from "#lib/operations/server/get-open-api.ts";
import { toDocumentAnswer } from "#lib/api/document-answer.ts";
import { handlePublic } from "#lib/api/edge/handle.ts";

export const GET = handlePublic(operation, ({ request }) =>
  Promise.resolve(toDocumentAnswer(request)),
);
