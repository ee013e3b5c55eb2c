import { useEffectEvent, useLayoutEffect, useRef } from "react";
import type { RefObject } from "react";
import { readEarly } from "./early-input.ts";

/**
 * Takes over what a field holds that the server sent and that was filled in before the page's script was there. Otherwise,
 * React replaces it by its own value when anything of the form changes. Every field that the server sends uses it.
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
