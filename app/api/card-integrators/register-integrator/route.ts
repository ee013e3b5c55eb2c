import { registerIntegrator as operation } from "#lib/operations/account/register-integrator.ts";
import { register } from "#lib/api/edge/registration.ts";
import { servePublic } from "#lib/api/edge/serve.ts";

export const POST = servePublic(operation, ({ origin }, { body }) => register(origin, body));
