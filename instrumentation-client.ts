import { holdPages } from "#app/client/hold-pages.ts";
import { keepEarlyInput } from "#app/ui/early-input.ts";
import { reportNavigation } from "#app/ui/navigation.ts";

// Next loads this file before it hydrates the page.
keepEarlyInput();
holdPages();

/** Next calls this when a navigation starts. One that replaces the address is a filter's own update. */
export function onRouterTransitionStart(url: string, type: "push" | "replace" | "traverse"): void {
  if (type === "push") {
    reportNavigation(url);
  }
}
