"use client";

import { useState } from "react";
import { readAmount } from "#lib/base/typed-amount.ts";

/** An amount being typed: its text, and its meaning. */
export interface AmountField {
  currency: string;
  isRequired: boolean;
  text: string;
  /** In minor units; null while the text is not an amount. */
  amount: number | null;
  /** What is wrong with the text, once it can no longer become an amount or the field has lost the focus. */
  error: string | undefined;
  onChange: (text: string) => void;
  onBlur: () => void;
  /** Whether the form may be submitted with this amount; if not, the field says why. */
  check: () => boolean;
}

/** The state of a field for an amount. `initial` is text, `least` in minor units. */
export function useAmount(
  currency: string,
  {
    initial = "",
    least = 1,
    isRequired = true,
  }: { initial?: string; least?: number; isRequired?: boolean } = {},
): AmountField {
  const [text, setText] = useState(initial);
  const [isLeft, setLeft] = useState(false);
  const isEmpty = text.trim() === "";
  const read = readAmount(text, currency, least);
  const isFine = read.amount !== null || (isEmpty && !isRequired);
  const isShown = !isFine && (isLeft || !read.isUnfinished);
  return {
    currency,
    isRequired,
    text,
    amount: read.amount,
    error: isShown ? read.problem : undefined,
    onChange: (next) => {
      setText(next);
      setLeft(false);
    },
    onBlur: () => setLeft(!isEmpty),
    check: () => {
      setLeft(true);
      return isFine;
    },
  };
}
