import { refuseUnknownPath } from "#lib/api/edge/refuse-unserved.ts";

export const GET = refuseUnknownPath;
export const POST = refuseUnknownPath;
export const PATCH = refuseUnknownPath;
export const PUT = refuseUnknownPath;
export const DELETE = refuseUnknownPath;
