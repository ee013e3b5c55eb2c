import { resetPassword as operation } from "#lib/operations/staff/reset-password.ts";
import { setPassword } from "#lib/api/edge/links.ts";
import { servePublic } from "#lib/api/edge/serve.ts";

export const POST = servePublic(operation, ({ origin }, { body }) => setPassword(origin, body));
