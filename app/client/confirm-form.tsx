"use client";

import { Modal } from "@heroui/react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { FormEvent } from "react";
import { Form } from "../ui/form.tsx";
import { Button } from "../ui/button.tsx";
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
    <Form className="flex flex-col gap-4" noValidate onSubmit={submit}>
      <Modal.Body className="flex flex-col gap-4">
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
      </Modal.Body>
      <Modal.Footer>
        <Button onPress={() => onClose(false)} variant="tertiary">
          Back
        </Button>
        <Button isPending={mutation.isPending} type="submit">
          Confirm
        </Button>
      </Modal.Footer>
    </Form>
  );
}
