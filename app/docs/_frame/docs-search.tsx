"use client";

import { PaletteButton } from "../../shell/palette.tsx";

/** Opens the palette, which also finds operations and guides. */
export function DocsSearch() {
  return <PaletteButton folded />;
}
