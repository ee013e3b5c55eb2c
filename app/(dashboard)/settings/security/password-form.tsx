"use client";

import type { FormEvent } from "react";
import { Form } from "../../../ui/form.tsx";
import { Button } from "../../../ui/button.tsx";
import { notify } from "../../../client/notice-store.ts";
import { useUnsavedChanges } from "../../../client/unsaved-changes.ts";
import { useOperationForm } from "../../../client/use-operation-form.ts";
import { ProblemAlert } from "../../../client/problem-alert.tsx";
import { TextInput } from "../../../ui/text-input.tsx";
import { OPERATIONS } from "../../../client/operations.ts";

const EMPTY = { current_password: "", new_password: "" };

export function PasswordForm() {
  const { form, submit, error, isPending } = useOperationForm(OPERATIONS.changePassword, EMPTY);
  useUnsavedChanges(form.isDirty);
  const save = (event: FormEvent) => {
    event.preventDefault();
    submit({ body: form.values }, () => {
      form.set("current_password", "");
      form.set("new_password", "");
      notify("Password changed. You're signed out everywhere else.");
    });
  };
  return (
    <Form className="flex flex-col gap-4" noValidate onSubmit={save}>
      <TextInput
        autoComplete="current-password"
        error={form.errors["current_password"]}
        label="Current password"
        onChange={(value) => form.set("current_password", value)}
        type="password"
        value={form.values.current_password}
      />
      <TextInput
        autoComplete="new-password"
        description="At least 12 characters."
        error={form.errors["new_password"]}
        label="New password"
        onChange={(value) => form.set("new_password", value)}
        type="password"
        value={form.values.new_password}
      />
      {Object.keys(form.errors).length === 0 && <ProblemAlert error={error} />}
      <div className="flex justify-end">
        <Button isPending={isPending} type="submit">
          Change password
        </Button>
      </div>
    </Form>
  );
}
