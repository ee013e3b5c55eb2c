"use client";

import { createContext, use, useCallback, useMemo, useRef, useState } from "react";
import type { ReactNode } from "react";
import { fetched } from "./fetched.tsx";
import { DialogHostContext } from "../ui/dialog-host.ts";

const ConfirmDialog = fetched(() =>
  import("./confirm-dialog.tsx").then((loaded) => loaded.ConfirmDialog),
);
const ConfirmForm = fetched(() =>
  import("./confirm-form.tsx").then((loaded) => loaded.ConfirmForm),
);

/** Asks for the password again, and returns whether it was given. */
type Confirm = () => Promise<boolean>;

const ConfirmContext = createContext<Confirm>(() => Promise.resolve(false));

export function useFreshSignIn(): Confirm {
  return use(ConfirmContext);
}

/**
 * The most sensitive operations require a recent sign-in. When one of them is refused, this asks for a new sign-in,
 * inside the open dialog, never in a second dialog over it.
 */
export function FreshSignIn({ children }: { children: ReactNode }) {
  const [asking, setAsking] = useState<"in a dialog" | "by itself" | null>(null);
  const settle = useRef<(confirmed: boolean) => void>(() => undefined);
  const dialogs = useRef(0);
  const isHosted = useRef(false);
  const close = useCallback((confirmed: boolean) => {
    setAsking(null);
    settle.current(confirmed);
  }, []);
  const confirm = useCallback<Confirm>(
    () =>
      new Promise((resolve) => {
        settle.current = resolve;
        isHosted.current = dialogs.current > 0;
        setAsking(isHosted.current ? "in a dialog" : "by itself");
      }),
    [],
  );
  const enter = useCallback(() => {
    dialogs.current += 1;
    return () => {
      dialogs.current -= 1;
      // The form disappears with the dialog that shows it: nobody is left to answer.
      if (dialogs.current === 0 && isHosted.current) {
        close(false);
      }
    };
  }, [close]);
  const isAsking = asking !== null;
  const host = useMemo(
    () => ({ form: isAsking ? <ConfirmForm onClose={close} /> : null, enter }),
    [isAsking, close, enter],
  );
  return (
    <ConfirmContext value={confirm}>
      <DialogHostContext value={host}>
        {/** The dialog is rendered outside of this tree, so there is nothing beside the pages. */}
        {/* oxlint-disable-next-line floatdeck/text-alone */}
        {children}
        {asking === "by itself" && <ConfirmDialog onClose={() => close(false)} />}
      </DialogHostContext>
    </ConfirmContext>
  );
}
