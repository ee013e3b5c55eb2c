import { readLink as operation } from "#lib/operations/staff/read-link.ts";
import { handleLinkRead } from "#lib/api/edge/links.ts";

export const POST = handleLinkRead(operation);
