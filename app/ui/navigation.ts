const NAVIGATION = "floatdeck:navigation";

/** Reports that a person goes elsewhere, before anything of the next page is fetched. */
export function reportNavigation(url: string): void {
  window.dispatchEvent(new CustomEvent(NAVIGATION, { detail: url }));
}

/**
 * Calls `listener` with the URL whenever a person goes elsewhere.
 * @returns a function that stops it.
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
