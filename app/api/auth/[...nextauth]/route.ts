import nextAuth from "next-auth";
import { cookies } from "next/headers";
import type { NextRequest } from "next/server";
import { toAuthOptions } from "#lib/auth/next-auth.ts";
import { isOwnTarget, toOwnPath } from "#lib/auth/own-path.ts";

/** next-auth's own paths, outside the contract: form posts with a token of their own against forgery. */
async function handle(request: NextRequest, route: { params: Promise<{ nextauth: string[] }> }) {
  await replaceForeignTargets(request);
  return nextAuth(request, route, toAuthOptions(request));
}

/** next-auth answers 500 to a target it cannot parse, before any callback of ours sees it. */
async function replaceForeignTargets({ nextUrl }: NextRequest): Promise<void> {
  const target = nextUrl.searchParams.get("callbackUrl");
  if (target !== null) {
    nextUrl.searchParams.set("callbackUrl", toOwnPath(target));
  }
  const jar = await cookies();
  for (const { name, value } of jar.getAll()) {
    if (name.endsWith("next-auth.callback-url") && !isOwnTarget(value)) {
      jar.delete(name);
    }
  }
}

export { handle as GET, handle as POST };
