import { acceptInvitation as operation } from "#lib/operations/staff/accept-invitation.ts";
import { handleAcceptance } from "#lib/api/edge/links.ts";

export const POST = handleAcceptance(operation);
