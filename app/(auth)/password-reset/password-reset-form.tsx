"use client";

import { useMutation } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { Form } from "../../ui/form.tsx";
import { Button } from "../../ui/button.tsx";
import { useForm } from "../../client/use-form.ts";
import { AuthCard } from "../../ui/auth-card.tsx";
import { ProblemAlert } from "../../client/problem-alert.tsx";
import { TextInput } from "../../ui/text-input.tsx";
import { OneTimeLink } from "../one-time-link.tsx";
import { OPERATIONS } from "../../client/operations.ts";
import { callApi } from "#lib/api/client.ts";

export function PasswordResetForm() {
  return (
    <OneTimeLink kind="password_reset">
      {(offer, token) => <Reset email={offer.email} token={token} />}
    </OneTimeLink>
  );
}

function Reset({ email, token }: { email: string; token: string }) {
  const mutation = useMutation({
    mutationFn: (password: string) =>
      callApi(OPERATIONS.resetPassword, { body: { token, password } }),
    onSuccess: () => window.location.assign(`/sign-in?email=${encodeURIComponent(email)}`),
  });
  const form = useForm({ password: "" }, mutation.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void form.send(OPERATIONS.resetPassword, { ...form.values, token }, () =>
      mutation.mutate(form.values.password),
    );
  };
  return (
    <AuthCard
      description={`For ${email}. You'll be signed out everywhere else.`}
      title="Choose a new password"
    >
      <Form className="flex flex-col gap-4" noValidate onSubmit={submit}>
        <TextInput
          autoComplete="new-password"
          autoFocus
          description="At least 12 characters."
          error={form.errors["password"]}
          isRequired
          label="New password"
          onChange={(value) => form.set("password", value)}
          type="password"
          value={form.values.password}
        />
        <ProblemAlert error={mutation.error} />
        <Button className="w-full" isPending={mutation.isPending} type="submit">
          Set new password
        </Button>
      </Form>
    </AuthCard>
  );
}
