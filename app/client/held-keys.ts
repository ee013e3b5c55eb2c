import { useEffect, useRef } from "react";

/** What the Tab key reaches. */
const REACHED = "a[href], button, input, select, textarea, [tabindex]";
const LETTER = /^.$/u;
/** Letters typed after a longer pause begin another word. Browsers wait about as long. */
const PAUSE_MS = 1_000;

/** How many dialogs are being loaded. One of them may be part of another. */
let awaited = 0;
/** What has been typed for these dialogs. A tab stands for the Tab key. */
let typed = "";

/**
 * While a dialog's script loads, keeps the keys that are pressed, and keeps them from the page. Types them into the
 * dialog's fields once it is shown and has the focus.
 */
export function useHeldKeys(isAwaited: boolean): void {
  const release = useRef<(() => void) | null>(null);
  // The dialog's own effects run before this one, and have already moved the focus into it.
  useEffect(() => {
    if (isAwaited) {
      release.current = hold();
    } else {
      release.current?.();
      release.current = null;
    }
  }, [isAwaited]);
  useEffect(() => () => release.current?.(), []);
}

function hold(): () => void {
  awaited += 1;
  if (awaited === 1) {
    typed = "";
    window.addEventListener("keydown", keep, { capture: true });
  }
  return () => {
    awaited -= 1;
    if (awaited === 0) {
      window.removeEventListener("keydown", keep, { capture: true });
      typed.split("\t").forEach(type);
    }
  };
}

function keep(event: KeyboardEvent): void {
  const then = toTyped(event);
  if (then !== null && !isCommand(event) && toField(event.target) === null) {
    typed = then;
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}

/** Everything typed so far, including this key; null if the key types nothing. */
function toTyped({ key, shiftKey }: KeyboardEvent): string | null {
  switch (key) {
    case "Backspace":
      return typed.replace(/.$/u, "");
    case "Tab":
      return shiftKey ? null : `${typed}\t`;
    case "Enter":
      // Nobody can see yet what Enter would submit.
      return typed;
    default:
      return LETTER.test(key) ? typed + key : null;
  }
}

/** Some keyboards need AltGr to type a letter. Windows reports AltGr as Ctrl and Alt. */
function isCommand(event: KeyboardEvent): boolean {
  const isModified = event.metaKey || event.ctrlKey || event.altKey;
  return isModified && !event.getModifierState("AltGraph");
}

/** Types into the focused field, or, after tabs, into a later one. */
function type(text: string, tabs: number): void {
  if (tabs > 0) {
    focusNext();
  }
  const field = toField(document.activeElement);
  if (text === "" || field === null) {
    return;
  }
  if (field instanceof HTMLSelectElement) {
    choose(field, text);
  } else {
    // Inserts as if typed, so that it can be undone and the field reports it.
    document.execCommand("insertText", false, text);
  }
}

function toField(
  target: EventTarget | null,
): HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement | null {
  const isField =
    (target instanceof HTMLInputElement && !["checkbox", "radio", "file"].includes(target.type)) ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement;
  return isField ? target : null;
}

function focusNext(): void {
  const { activeElement } = document;
  const dialog = activeElement?.closest("[role=dialog]");
  const reached = [...(dialog?.querySelectorAll<HTMLElement>(REACHED) ?? [])].filter(isReached);
  const place = reached.findIndex((element) => element === activeElement);
  reached[place + 1]?.focus();
}

function isReached(element: HTMLElement): boolean {
  const isOtherRadio =
    element instanceof HTMLInputElement && element.type === "radio" && !element.checked;
  return (
    element.tabIndex >= 0 &&
    !element.matches(":disabled") &&
    element.checkVisibility() &&
    !isOtherRadio
  );
}

/**
 * Chooses the option that begins with the text, as the browser would. The browser does not know about these letters,
 * so this also handles later letters that follow without a pause.
 */
function choose(field: HTMLSelectElement, text: string): void {
  let sought = text;
  let soughtAt = performance.now();
  const goOn = (event: KeyboardEvent) => {
    const { key, timeStamp } = event;
    if (timeStamp - soughtAt > PAUSE_MS || !LETTER.test(key) || isCommand(event)) {
      field.removeEventListener("keydown", goOn);
      return;
    }
    event.preventDefault();
    sought += key;
    soughtAt = timeStamp;
    select(field, sought);
  };
  field.addEventListener("keydown", goOn);
  select(field, sought);
}

function select(field: HTMLSelectElement, text: string): void {
  const begins = ({ disabled, label }: HTMLOptionElement) =>
    !disabled && label.toLowerCase().startsWith(text.toLowerCase());
  const option = [...field.options].find(begins);
  if (option && !option.selected) {
    option.selected = true;
    field.dispatchEvent(new Event("change", { bubbles: true }));
  }
}
