import { readLink as operation } from "#lib/api/contract/staff.ts";
import { handleLinkRead } from "#lib/api/edge/links.ts";

export const POST = handleLinkRead(operation);
