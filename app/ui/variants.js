/**
 * What the components compose their class names with, less the merging of conflicting ones, which would be 13 kB on
 * every page: the components' own classes lie in a layer of their own, where any utility class wins. Stands in for
 * "tailwind-variants" (next.config.js).
 */
// oxlint-disable-next-line oxc/no-barrel-file
export { createTV, tv } from "tailwind-variants/lite";
export { cx } from "tailwind-variants/utils";
