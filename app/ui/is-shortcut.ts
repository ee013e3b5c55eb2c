/** Elements that use letters and arrow keys themselves. */
const FIELDS = "input:not([type=checkbox]), textarea, select, [role=textbox]";
/** Marks the place of a dialog whose script is still being loaded. */
export const ON_ITS_WAY = "data-on-its-way";
/** A toast has the role of a dialog too, but does not block the page. */
const OVERLAYS = `[role=dialog], dialog[open], [role=alertdialog]:not([aria-modal=false]), [role=menu], [role=listbox], [${ON_ITS_WAY}]`;

/**
 * Whether a keystroke is a shortcut: not while typing, not with a modifier, and not while a dialog or a menu is open. While
 * a dialog is being loaded, the keystroke may be meant for its fields.
 */
export function isShortcut(event: KeyboardEvent): boolean {
  const { target } = event;
  const isTyping =
    target instanceof HTMLElement && (target.isContentEditable || target.closest(FIELDS) !== null);
  const isModified = event.metaKey || event.ctrlKey || event.altKey;
  return (
    !isTyping && !isModified && !event.defaultPrevented && document.querySelector(OVERLAYS) === null
  );
}
