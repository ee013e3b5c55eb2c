"use client";

import { createContext, use, useEffect } from "react";
import type { Elements } from "./elements.ts";

export const CONFIRM_TITLE = "Confirm your identity";

/** Lets the open dialog ask for a fresh sign-in. */
interface DialogHost {
  /** The form that asks, which the dialog shows in place of its content. */
  form: Elements;
  /** Registers an open dialog, and returns a function that unregisters it. */
  enter: () => () => void;
}

export const DialogHostContext = createContext<DialogHost>({
  form: null,
  enter: () => () => undefined,
});

/** The form that a dialog shows in place of its content, if there is one. */
export function useConfirmForm(): Elements {
  const { form, enter } = use(DialogHostContext);
  useEffect(enter, [enter]);
  return form;
}
