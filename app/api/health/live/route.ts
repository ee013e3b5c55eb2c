import { getLiveness as operation } from "#lib/operations/server/get-liveness.ts";
import { toTextAnswer } from "#lib/api/wire/answer.ts";
import { servePublic } from "#lib/api/edge/serve.ts";

export const GET = servePublic(operation, () => Promise.resolve(toTextAnswer("OK")));
