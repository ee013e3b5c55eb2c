import { readLink as operation } from "#lib/operations/staff/read-link.ts";
import { showLink } from "#lib/api/edge/links.ts";
import { servePublic } from "#lib/api/edge/serve.ts";

export const POST = servePublic(operation, ({ origin }, { body }) => showLink(origin, body));
