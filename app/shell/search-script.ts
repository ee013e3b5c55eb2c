/** The id of the page's search, a `dialog` in the HTML that the server sends. */
export const SEARCH_ID = "search";

/** When the document receives this event, it opens the search. */
export const OPEN_SEARCH = "open-search";

/**
 * Opens the page's search by ⌘K or Ctrl K, and empties its box. It is part of the initial HTML, so that the box takes
 * every key from the first ⌘K on, even before React runs and the search code is loaded. On a keyboard layout without
 * the letter, the key's position decides, as for every shortcut. Pressing the mouse on anything else in the search
 * leaves the focus in the box. Escape empties the box, and closes the search if it is empty. A click outside closes
 * the search.
 */
export const SEARCH_SCRIPT = `(() => {
  const find = () => document.getElementById("${SEARCH_ID}");
  const empty = (box) => {
    box.value = "";
    box.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const open = () => {
    const dialog = find();
    if (!dialog || dialog.open) return;
    dialog.showModal();
    const box = dialog.querySelector("input");
    box.focus();
    empty(box);
  };
  document.addEventListener("${OPEN_SEARCH}", open);
  document.addEventListener("mousedown", (event) => {
    const dialog = find();
    const { target } = event;
    if (dialog && dialog.contains(target) && target !== dialog.querySelector("input")) event.preventDefault();
  });
  document.addEventListener("click", ({ target, clientX: x, clientY: y }) => {
    if (target !== find()) return;
    const { left, right, top, bottom } = target.getBoundingClientRect();
    if (x < left || x > right || y < top || y > bottom) target.close();
  });
  document.addEventListener("keydown", (event) => {
    const dialog = find();
    if (!dialog) return;
    const { key = "", code, ctrlKey, metaKey } = event;
    const isK = key.toLowerCase() === "k" || (code === "KeyK" && !/^[a-z]$/i.test(key));
    const isEscape = key === "Escape" && dialog.open;
    if (isEscape || (isK && (ctrlKey || metaKey))) {
      event.preventDefault();
      const box = dialog.querySelector("input");
      if (isEscape && box.value !== "") empty(box);
      else if (dialog.open) dialog.close();
      else open();
    }
  }, true);
})()`;

/** Opens the page's search, if it has one. */
export function openSearch(): void {
  document.dispatchEvent(new Event(OPEN_SEARCH));
}

/** The page's search, unless it has none. */
export function findSearch(): HTMLDialogElement | null {
  const found = document.getElementById(SEARCH_ID);
  return found instanceof HTMLDialogElement ? found : null;
}

/** The box into which a text is typed. */
export function findSearchBox(): HTMLInputElement | null {
  return findSearch()?.querySelector("input") ?? null;
}
