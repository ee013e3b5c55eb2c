import { registerIntegrator as operation } from "#lib/api/contract/account.ts";
import { handleRegistration } from "#lib/api/edge/registration.ts";

export const POST = handleRegistration(operation);
