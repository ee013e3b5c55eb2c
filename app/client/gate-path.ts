const HOME = "/overview";

/** Pages that a signed-out person must go through to reach another page. */
type Gate = "/sign-in" | "/second-factor" | "/forgot-password";

/** The URL of a gate that leads on to one of our pages. */
export function toGatePath(gate: Gate, target: string): string {
  return target === HOME ? gate : `${gate}?callbackUrl=${encodeURIComponent(target)}`;
}
