// oxlint-disable-next-line no-restricted-imports
import NextLink from "next/link";
import type { ComponentProps } from "react";

/**
 * A link to a page of ours. Nothing is fetched before it is followed: pages come whole, so ahead of time the server would
 * render for each link on the page, and again at each refresh, and send no more than a title.
 */
export function Link(props: Omit<ComponentProps<typeof NextLink>, "prefetch">) {
  return <NextLink {...props} prefetch={false} />;
}
