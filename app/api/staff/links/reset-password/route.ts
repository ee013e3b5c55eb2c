import { resetPassword as operation } from "#lib/api/contract/staff.ts";
import { handlePasswordReset } from "#lib/api/edge/links.ts";

export const POST = handlePasswordReset(operation);
