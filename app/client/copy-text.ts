import { notify } from "./notice-store.ts";

/** Copies a text, and reports it with a notice. @returns whether the browser allowed it. */
export async function copyText(text: string, done: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    notify(done);
    return true;
  } catch {
    notify("Your browser didn't allow copying.", "warning");
    return false;
  }
}
