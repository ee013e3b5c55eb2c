import { getAccountVersion as operation } from "#lib/operations/account/get-account-version.ts";
import { handleRead } from "#lib/api/edge/handle.ts";
import { readAccountVersion } from "#lib/overview/account-version.ts";

export const GET = handleRead(operation, async (ctx) => ({
  body: { version: await readAccountVersion(ctx) },
}));
