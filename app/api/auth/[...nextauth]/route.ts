import nextAuth from "next-auth";
import type { NextRequest } from "next/server";
import { toAuthOptions } from "#lib/auth/next-auth.ts";

/** next-auth's own paths, outside the contract: form posts with a token of their own against forgery. */
function handle(request: NextRequest, route: { params: Promise<{ nextauth: string[] }> }) {
  return nextAuth(request, route, toAuthOptions(request));
}

export { handle as GET, handle as POST };
