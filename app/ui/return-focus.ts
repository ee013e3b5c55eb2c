/** Once a change is on the screen, and the component library has had its turn. */
const RETURN_MS = 50;

/**
 * After something that had the focus is gone: returns it to what had it before, unless it has found a place already. What
 * had it before may be gone too, with the page it was on: then the page's content gets it, never the top of the document.
 */
export function returnFocus(before: Element | null): void {
  setTimeout(() => {
    if (document.activeElement !== document.body) {
      return;
    }
    const target = [before, document.getElementById("content")].find(isFocusable);
    target?.setAttribute("tabindex", target.getAttribute("tabindex") ?? "-1");
    target?.focus({ preventScroll: true });
  }, RETURN_MS);
}

function isFocusable(element: Element | null): element is HTMLElement {
  return element instanceof HTMLElement && element !== document.body && element.isConnected;
}
