// oxlint-disable-next-line no-restricted-imports -- every other file uses the component below.
import NextLink from "next/link";
import type { ComponentProps } from "react";

/**
 * A link to one of our pages, without prefetching. The server renders a page as a whole, so a prefetch would only
 * bring the title, and the server would render once for each visible link, again after each refresh.
 */
export function Link(props: Omit<ComponentProps<typeof NextLink>, "prefetch">) {
  return <NextLink {...props} prefetch={false} />;
}
