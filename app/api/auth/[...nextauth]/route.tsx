import nextAuth from "next-auth";
import { cookies } from "next/headers";
import type { NextRequest } from "next/server";
import { toAuthOptions } from "#lib/auth/next-auth.ts";
import { replaceForeignTargets } from "#lib/auth/own-path.ts";
import {
  refuseMalformedBody,
  refuseReadPassword,
  replaceForeignReason,
} from "#lib/auth/sign-in-request.ts";

/** next-auth's own paths, outside the contract: form posts with a token of their own against forgery. */
async function handle(request: NextRequest, route: { params: Promise<{ nextauth: string[] }> }) {
  const { nextauth: segments } = await route.params;
  const refusal = refuseReadPassword(request, segments) ?? (await refuseMalformedBody(request));
  if (refusal) {
    return refusal;
  }
  const jar = await cookies();
  const query = request.nextUrl.searchParams;
  replaceForeignTargets(query, jar);
  replaceForeignReason(query, segments[0]);
  return nextAuth(request, route, toAuthOptions(request, jar));
}

export { handle as GET, handle as POST };
