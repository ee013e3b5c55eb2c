import { getLiveness as operation } from "#lib/operations/server/get-liveness.ts";
import { toTextAnswer } from "#lib/api/wire/answer.ts";
import { handlePublic } from "#lib/api/edge/handle.ts";

export const GET = handlePublic(operation, () => Promise.resolve(toTextAnswer("OK")));
