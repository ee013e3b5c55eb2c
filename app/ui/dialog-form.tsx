"use client";

import { Button, Modal } from "@heroui/react";
import type { FormEvent, ReactNode } from "react";
import { ProblemAlert } from "./problem-alert.tsx";

/** What a dialog asks for, its problem if there is one, and the button that does it. */
export function DialogForm({
  children,
  action,
  error,
  isPending,
  isDanger = false,
  onSubmit,
  onCancel,
}: {
  children: ReactNode;
  action: string;
  error: unknown;
  isPending: boolean;
  isDanger?: boolean;
  onSubmit: () => void;
  onCancel: () => void;
}) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isPending) {
      onSubmit();
    }
  };
  return (
    <form className="flex min-h-0 flex-col gap-4" noValidate onSubmit={submit}>
      <Modal.Body className="flex flex-col gap-4">
        {children}
        <ProblemAlert error={error} />
      </Modal.Body>
      <Modal.Footer>
        <Button onPress={onCancel} variant="tertiary">
          Cancel
        </Button>
        <Button isPending={isPending} type="submit" variant={isDanger ? "danger" : "primary"}>
          {action}
        </Button>
      </Modal.Footer>
    </form>
  );
}
