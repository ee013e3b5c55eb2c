import { resetPassword as operation } from "#lib/operations/staff/reset-password.ts";
import { handlePasswordReset } from "#lib/api/edge/links.ts";

export const POST = handlePasswordReset(operation);
