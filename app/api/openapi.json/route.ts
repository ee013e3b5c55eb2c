import { getOpenApi as operation } from "#lib/api/contract/health.ts";
import { toDocumentAnswer } from "#lib/api/document-answer.ts";
import { handlePublic } from "#lib/api/edge/handle.ts";

export const GET = handlePublic(operation, ({ request }) =>
  Promise.resolve(toDocumentAnswer(request)),
);
