import { useEffectEvent, useLayoutEffect, useRef } from "react";
import type { RefObject } from "react";
import { readEarly } from "./early-input.ts";

/**
 * Takes over text that was typed into a server-rendered field before the page's script loaded. Otherwise, React would
 * replace the text with its own value when anything in the form changes. Every field that the server renders uses it.
 * @returns the field's ref.
 */
export function useEarlyInput<
  Field extends HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement,
>(value: string, onChange: (value: string) => void): RefObject<Field | null> {
  const field = useRef<Field>(null);
  const takeOver = useEffectEvent(() => {
    const held = field.current && readEarly(field.current);
    // A text area holds no carriage returns.
    if (held !== null && held !== value.replaceAll("\r\n", "\n")) {
      onChange(held);
    }
  });
  useLayoutEffect(() => takeOver(), []);
  return field;
}
