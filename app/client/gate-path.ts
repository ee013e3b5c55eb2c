const HOME = "/overview";

/** Pages that a signed-out person must pass on the way to a page. */
type Gate = "/sign-in" | "/second-factor" | "/forgot-password";

/** The URL of a gate that leads to one of our pages. */
export function toGatePath(gate: Gate, target: string): string {
  return target === HOME ? gate : `${gate}?callbackUrl=${encodeURIComponent(target)}`;
}
