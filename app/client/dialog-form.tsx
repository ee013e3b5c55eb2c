"use client";

import { useEffect, useRef } from "react";
import type { FormEvent, KeyboardEvent } from "react";
import { Form } from "../ui/form.tsx";
import { Button } from "../ui/button.tsx";
import { DialogBody, DialogFooter } from "../ui/dialog.tsx";
import type { Elements } from "../ui/elements.ts";
import { GuardedButton } from "../ui/guarded-button.tsx";
import { ProblemAlert } from "./problem-alert.tsx";

/** Every field that the Tab key reaches: what can be typed into or chosen from. */
const FIELD = ":is(input, textarea, select):not([tabindex='-1'], [aria-hidden] *)";

/**
 * A dialog's fields, its problem if there is one, and its buttons. The first field gets the focus; Ctrl+Enter or
 * Command+Enter submits from any field.
 */
export function DialogForm({
  children,
  action,
  error,
  isPending,
  isDanger = false,
  disabledReason = null,
  onSubmit,
  onCancel,
}: {
  children: Elements;
  action: string;
  error: unknown;
  isPending: boolean;
  isDanger?: boolean;
  /** Why the form cannot be submitted in its current state. */
  disabledReason?: string | null;
  onSubmit: () => void;
  onCancel: () => void;
}) {
  const ref = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!ref.current?.contains(document.activeElement)) {
      ref.current?.querySelector<HTMLElement>(FIELD)?.focus();
    }
  }, []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isPending && disabledReason === null) {
      onSubmit();
    }
  };
  return (
    <Form
      className="flex min-h-0 flex-col"
      noValidate
      onKeyDownCapture={submitByKey}
      onSubmit={submit}
      ref={ref}
    >
      <DialogBody>
        {children}
        <ProblemAlert error={error} />
      </DialogBody>
      <DialogFooter>
        <Button onPress={onCancel} variant="secondary">
          Cancel
        </Button>
        <GuardedButton
          aria-keyshortcuts="Control+Enter Meta+Enter"
          disabledReason={disabledReason}
          isPending={isPending}
          type="submit"
          variant={isDanger ? "danger" : "primary"}
        >
          {action}
        </GuardedButton>
      </DialogFooter>
    </Form>
  );
}

/** Submits from every field, even from one that handles Enter itself. */
function submitByKey(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    event.stopPropagation();
    event.currentTarget.requestSubmit();
  }
}
