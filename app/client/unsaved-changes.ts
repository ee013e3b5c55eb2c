"use client";

import { useEffect } from "react";

const QUESTION = "You have unsaved changes. Leave this page and lose them?";

/** How many forms on the page hold unsaved changes. */
let unsaved = 0;

/** Ends the listeners, which exist only while there are unsaved changes. */
let guard = new AbortController();

/** Whether the page may be left. Asks the person if leaving would lose changes. Call it before navigating by script. */
export function mayLeave(): boolean {
  return unsaved === 0 || window.confirm(QUESTION);
}

/**
 * While a form holds unsaved changes, asks before the page is left by a link, by Back or Forward, by reloading it, or
 * by closing it.
 */
export function useUnsavedChanges(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) {
      return undefined;
    }
    if (unsaved === 0) {
      guard = keepPage();
    }
    unsaved += 1;
    return () => {
      unsaved -= 1;
      if (unsaved === 0) {
        guard.abort();
      }
    };
  }, [isUnsaved]);
}

/** Starts to keep the page. @returns a controller that stops it. */
function keepPage(): AbortController {
  const listening = new AbortController();
  const { signal } = listening;
  window.addEventListener("beforeunload", keepDocument, { signal });
  // In the capture phase, before the router's own listener.
  document.addEventListener("click", keepFromLink, { signal, capture: true });
  // Older browsers cannot stop Back within the page.
  if ("navigation" in window) {
    window.navigation.addEventListener("navigate", keepFromHistory, { signal });
  }
  return listening;
}

/** Handles reloading, closing, and everything else that replaces the document. Browsers ask in their own words. */
function keepDocument(event: Event): void {
  event.preventDefault();
}

function keepFromLink(event: MouseEvent): void {
  const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey);
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (isPlain && link !== null && opensPage(link) && !mayLeave()) {
    event.preventDefault();
    event.stopPropagation();
  }
}

/** Whether the link leads to another of our pages, which replaces this one without unloading the document. */
function opensPage(link: HTMLAnchorElement): boolean {
  const { origin, pathname } = window.location;
  const isElsewhere = link.origin !== origin || link.target === "_blank" || link.download !== "";
  return !isElsewhere && link.pathname !== pathname && !link.pathname.startsWith("/api/");
}

/** Handles Back and Forward. The router only learns of them afterward, when nothing can stop them. */
function keepFromHistory(event: NavigateEvent): void {
  const isHistory = event.navigationType === "traverse" && event.cancelable;
  if (isHistory && !mayLeave()) {
    event.preventDefault();
  }
}
