import { acceptInvitation as operation } from "#lib/operations/staff/accept-invitation.ts";
import { accept } from "#lib/api/edge/links.ts";
import { servePublic } from "#lib/api/edge/serve.ts";

export const POST = servePublic(operation, ({ origin }, { body }) => accept(origin, body));
