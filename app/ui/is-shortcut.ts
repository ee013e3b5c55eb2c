/** Elements that use letters and arrow keys themselves. */
const FIELDS = "input:not([type=checkbox]), textarea, select, [role=textbox]";
/** A toast has the role of a dialog too, but does not block the page. */
const OVERLAYS =
  "[role=dialog], dialog[open], [role=alertdialog]:not([aria-modal=false]), [role=menu], [role=listbox]";

/** Whether a keystroke is a shortcut: not while typing, not with a modifier, and not while a dialog or a menu is open. */
export function isShortcut(event: KeyboardEvent): boolean {
  const { target } = event;
  const isTyping =
    target instanceof HTMLElement && (target.isContentEditable || target.closest(FIELDS) !== null);
  const isModified = event.metaKey || event.ctrlKey || event.altKey;
  return (
    !isTyping && !isModified && !event.defaultPrevented && document.querySelector(OVERLAYS) === null
  );
}
