"use client";

import { Button, Modal } from "@heroui/react";
import { useMutation } from "@tanstack/react-query";
import { createContext, use, useCallback, useMemo, useRef, useState } from "react";
import type { FormEvent, ReactNode } from "react";
import { ProblemAlert } from "../ui/problem-alert.tsx";
import { TextInput } from "../ui/text-input.tsx";
import { ApiProblem, callApi } from "#lib/api/client.ts";
import { confirmSelf } from "#lib/api/contract/staff.ts";

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
    <FreshSignInContext value={useMemo(() => confirm, [confirm])}>
      {children}
      <Modal.Backdrop isOpen={isOpen} onOpenChange={(open) => !open && close(false)}>
        <Modal.Container placement="center" size="sm">
          <Modal.Dialog>
            <Modal.CloseTrigger />
            <ConfirmForm onConfirmed={() => close(true)} />
          </Modal.Dialog>
        </Modal.Container>
      </Modal.Backdrop>
    </FreshSignInContext>
  );
}

function ConfirmForm({ onConfirmed }: { onConfirmed: () => void }) {
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const mutation = useMutation({
    mutationFn: () => callApi(confirmSelf, { body: { password, code: code === "" ? null : code } }),
    onSuccess: onConfirmed,
  });
  const errors = mutation.error instanceof ApiProblem ? (mutation.error.problem.errors ?? {}) : {};
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutation.mutate();
  };
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      <Modal.Header className="mb-2">
        <Modal.Heading>Confirm that it is you</Modal.Heading>
      </Modal.Header>
      <Modal.Body className="flex flex-col gap-4">
        <p className="text-muted">This change needs a sign-in of the last five minutes.</p>
        <TextInput
          autoComplete="current-password"
          autoFocus
          error={errors["password"]}
          label="Password"
          onChange={setPassword}
          type="password"
          value={password}
        />
        {("code" in errors || code !== "") && (
          <TextInput
            autoComplete="one-time-code"
            autoFocus
            error={errors["code"]}
            label="Code of your authenticator app"
            onChange={setCode}
            value={code}
          />
        )}
        {Object.keys(errors).length === 0 && <ProblemAlert error={mutation.error} />}
      </Modal.Body>
      <Modal.Footer>
        <Button isPending={mutation.isPending} type="submit">
          Confirm
        </Button>
      </Modal.Footer>
    </form>
  );
}
