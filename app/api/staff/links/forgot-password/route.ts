import { forgotPassword as operation } from "#lib/operations/staff/forgot-password.ts";
import { forgetPassword } from "#lib/api/edge/links.ts";
import { servePublic } from "#lib/api/edge/serve.ts";

export const POST = servePublic(operation, ({ origin }, { body }) => forgetPassword(origin, body));
