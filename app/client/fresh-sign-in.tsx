"use client";

import { createContext, use, useCallback, useRef, useState } from "react";
import type { ReactNode } from "react";
import { fetched } from "./fetched.tsx";

const ConfirmDialog = fetched(() =>
  import("./confirm-dialog.tsx").then((loaded) => loaded.ConfirmDialog),
);

/** Asks for the password once more; answers whether it was given. */
type Confirm = () => Promise<boolean>;

const FreshSignInContext = createContext<Confirm>(() => Promise.resolve(false));

export function useFreshSignIn(): Confirm {
  return use(FreshSignInContext);
}

/** The most delicate operations need a sign-in of the last minutes: this asks for it when one of them is refused. */
export function FreshSignIn({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const settle = useRef<(confirmed: boolean) => void>(() => undefined);
  const confirm = useCallback<Confirm>(
    () =>
      new Promise((resolve) => {
        settle.current = resolve;
        setOpen(true);
      }),
    [],
  );
  const close = (confirmed: boolean) => {
    setOpen(false);
    settle.current(confirmed);
  };
  return (
    <FreshSignInContext value={confirm}>
      {children}
      {isOpen && <ConfirmDialog onClose={close} />}
    </FreshSignInContext>
  );
}
