/** The text typed into text areas before hydration, when React overwrites it. */
const held = new WeakMap<Element, string>();

/** Remembers what is typed into text areas. Call it before React hydrates the page. */
export function keepEarlyInput(): void {
  document.querySelectorAll("textarea").forEach(keep);
  document.addEventListener("input", ({ target }) => keep(target), { capture: true });
}

function keep(field: EventTarget | null): void {
  if (field instanceof HTMLTextAreaElement) {
    held.set(field, field.value);
  }
}

/** What a field held before React took it over. */
export function readEarly(
  field: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement,
): string {
  return held.get(field) ?? field.value;
}
