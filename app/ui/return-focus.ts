/** The time until a change is on the screen and React Aria has handled it. */
const RETURN_MS = 50;

/**
 * After the focused element is gone, returns the focus to the element that had it before, unless something else has
 * the focus by then. If that element is gone too, along with its page, the page's content gets the focus, never the
 * top of the document.
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
