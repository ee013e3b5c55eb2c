import { getLiveness as operation } from "#lib/api/contract/health.ts";
import { toTextAnswer } from "#lib/api/answer.ts";
import { handlePublic } from "#lib/api/handle.ts";

export const GET = handlePublic(operation, () => Promise.resolve(toTextAnswer("OK")));
