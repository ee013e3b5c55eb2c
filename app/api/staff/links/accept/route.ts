import { acceptInvitation as operation } from "#lib/api/contract/staff.ts";
import { handleAcceptance } from "#lib/api/edge/links.ts";

export const POST = handleAcceptance(operation);
