import { registerIntegrator as operation } from "#lib/operations/account/register-integrator.ts";
import { handleRegistration } from "#lib/api/edge/registration.ts";

export const POST = handleRegistration(operation);
