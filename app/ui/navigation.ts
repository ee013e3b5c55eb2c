const NAVIGATION = "floatdeck:navigation";

/** Tells the page that somebody goes elsewhere, before anything of it is fetched. */
export function reportNavigation(url: string): void {
  window.dispatchEvent(new CustomEvent(NAVIGATION, { detail: url }));
}

/**
 * Calls `listener` with the address whenever somebody goes elsewhere.
 * @returns what ends it.
 */
export function onNavigation(listener: (url: URL) => void): () => void {
  const listen = (event: Event) => {
    if (event instanceof CustomEvent) {
      listener(new URL(String(event.detail), location.href));
    }
  };
  window.addEventListener(NAVIGATION, listen);
  return () => window.removeEventListener(NAVIGATION, listen);
}
