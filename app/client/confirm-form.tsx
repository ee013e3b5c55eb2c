"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { FormEvent } from "react";
import { Form } from "../ui/form.tsx";
import { Button } from "../ui/button.tsx";
import { DialogBody, DialogFooter } from "../ui/dialog.tsx";
import { ProblemAlert } from "./problem-alert.tsx";
import { TextInput } from "../ui/text-input.tsx";
import { OPERATIONS } from "./operations.ts";
import { ApiProblem, callApi } from "#lib/api/client.ts";

/** Confirms a person's identity with the password, and the second factor's code if there is one. */
export function ConfirmForm({ onClose }: { onClose: (confirmed: boolean) => void }) {
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const mutation = useMutation({
    mutationFn: () =>
      callApi(OPERATIONS.confirmSelf, { body: { password, code: code === "" ? null : code } }),
    onSuccess: () => onClose(true),
  });
  const errors = mutation.error instanceof ApiProblem ? (mutation.error.problem.errors ?? {}) : {};
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutation.mutate();
  };
  return (
    <Form className="flex min-h-0 flex-col" noValidate onSubmit={submit}>
      <DialogBody>
        <p className="text-muted">For your security, enter your password to continue.</p>
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
            label="Authentication code"
            onChange={setCode}
            value={code}
          />
        )}
        {Object.keys(errors).length === 0 && <ProblemAlert error={mutation.error} />}
      </DialogBody>
      <DialogFooter>
        <Button onPress={() => onClose(false)} variant="secondary">
          Back
        </Button>
        <Button isPending={mutation.isPending} type="submit">
          Confirm
        </Button>
      </DialogFooter>
    </Form>
  );
}
