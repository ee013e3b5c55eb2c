"use client";

import type { FormEvent } from "react";
import { notify } from "../../../client/notice-store.ts";
import { useUnsavedChanges } from "../../../client/unsaved-changes.ts";
import { useOperationForm } from "../../../client/use-operation-form.ts";
import { Form } from "../../../ui/form.tsx";
import { GuardedButton } from "../../../ui/guarded-button.tsx";
import { ProblemAlert } from "../../../client/problem-alert.tsx";
import { TextInput } from "../../../ui/text-input.tsx";
import { OPERATIONS } from "../../../client/operations.ts";

/** The three members of the account that an integrator may change. */
export function AccountForm({
  account,
  disabledReason,
}: {
  account: { business_address: string; webhook_url: string; domain: string };
  disabledReason: string | null;
}) {
  const { form, submit, error, isPending } = useOperationForm(
    OPERATIONS.updateAccount,
    account,
    () => notify("Changes saved"),
  );
  useUnsavedChanges(form.isDirty);
  const isReadOnly = disabledReason !== null;
  const save = (event: FormEvent) => {
    event.preventDefault();
    const { business_address, webhook_url, domain } = form.values;
    const body = {
      webhook_url: webhook_url.trim() || null,
      // A field that the registration left out stays empty until it is filled in, and cannot be emptied again.
      ...(business_address === "" && account.business_address === "" ? {} : { business_address }),
      ...(domain === "" && account.domain === "" ? {} : { domain }),
    };
    submit({ body }, form.markSaved);
  };
  return (
    <Form className="flex flex-col gap-4" noValidate onSubmit={save}>
      {isReadOnly && <p className="text-muted">{disabledReason}</p>}
      <TextInput
        error={form.errors["business_address"]}
        isDisabled={isReadOnly}
        label="Business address"
        maxLength={500}
        rows={3}
        onChange={(value) => form.set("business_address", value)}
        value={form.values.business_address}
      />
      <TextInput
        description="Where events are sent. Leave empty to turn webhooks off."
        error={form.errors["webhook_url"]}
        isDisabled={isReadOnly}
        label="Webhook URL"
        onChange={(value) => form.set("webhook_url", value)}
        placeholder="https://example.com/webhooks"
        type="url"
        value={form.values.webhook_url}
      />
      <TextInput
        description="A host name or URL, such as example.com."
        error={form.errors["domain"]}
        isDisabled={isReadOnly}
        label="Domain"
        onChange={(value) => form.set("domain", value)}
        value={form.values.domain}
      />
      <ProblemAlert error={error} />
      <div className="flex justify-end">
        <GuardedButton isPending={isPending} disabledReason={disabledReason} type="submit">
          Save changes
        </GuardedButton>
      </div>
    </Form>
  );
}
