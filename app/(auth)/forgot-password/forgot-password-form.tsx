"use client";

import { useMutation } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { ProblemAlert } from "../../client/problem-alert.tsx";
import { useForm } from "../../client/use-form.ts";
import { Alert } from "../../ui/alert.tsx";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { TextInput } from "../../ui/text-input.tsx";
import { OPERATIONS } from "../../client/operations.ts";
import { callApi } from "#lib/api/client.ts";

/** Asks for the email to send a link to. The answer is the same for every email. */
export function ForgotPasswordForm({ isKept }: { isKept: boolean }) {
  const mutation = useMutation({
    mutationFn: (email: string) => callApi(OPERATIONS.forgotPassword, { body: { email } }),
  });
  const form = useForm({ email: "" }, mutation.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void form.send(OPERATIONS.forgotPassword, form.values, () =>
      mutation.mutate(form.values.email),
    );
  };
  if (mutation.isSuccess) {
    return (
      <div role="status">
        <Alert title={isKept ? "The message is in the outbox" : "Check your mail"} tone="success">
          {`If somebody signs in with ${form.values.email} and a password, a message with a link is ${isKept ? "in Settings → Outbox, where an owner reads it. This sandbox has no mail server" : "on its way. The link works once, for an hour"}.`}
        </Alert>
      </div>
    );
  }
  return (
    <Form className="flex flex-col gap-4" noValidate onSubmit={submit}>
      <TextInput
        autoComplete="username"
        autoFocus
        error={form.errors["email"]}
        isRequired
        label="Email"
        onChange={(value) => form.set("email", value)}
        type="email"
        value={form.values.email}
      />
      <ProblemAlert error={mutation.error} />
      <Button className="w-full" isPending={mutation.isPending} type="submit">
        Send link
      </Button>
    </Form>
  );
}
