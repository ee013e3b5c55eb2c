import { reportNavigation } from "./app/client/navigation.ts";

/** Next calls this when a navigation starts. One that replaces the address is a filter's own update. */
export function onRouterTransitionStart(url: string, type: "push" | "replace" | "traverse"): void {
  if (type === "push") {
    reportNavigation(url);
  }
}
