"use client";

import { PaletteButton } from "../../(dashboard)/_shell/palette.tsx";

/** Opens the palette, which also finds operations and guides. */
export function DocsSearch() {
  return <PaletteButton folded />;
}
