"use client";

import { createContext, use, useEffect } from "react";
import type { Elements } from "./elements.ts";

export const CONFIRM_TITLE = "Confirm your identity";

/** What asks for a fresh sign-in inside the dialog that is open. */
interface DialogHost {
  /** The form that asks, which the dialog shows in place of its content. */
  form: Elements;
  /** Registers an open dialog; returns how to take that back. */
  enter: () => () => void;
}

export const DialogHostContext = createContext<DialogHost>({
  form: null,
  enter: () => () => undefined,
});

/** For a dialog: the form to show in place of its content, if there is one. */
export function useConfirmForm(): Elements {
  const { form, enter } = use(DialogHostContext);
  useEffect(enter, [enter]);
  return form;
}
