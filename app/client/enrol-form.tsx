"use client";

import { useMemo, useState } from "react";
import type { FormEvent } from "react";
import { renderSVG } from "uqr";
import { Form } from "../ui/form.tsx";
import { Button } from "../ui/button.tsx";
import { useOperationForm } from "./use-operation-form.ts";
import { CopyButton } from "../ui/copy-id.tsx";
import { ProblemAlert } from "./problem-alert.tsx";
import { ShownOnce } from "../ui/shown-once.tsx";
import { TextInput } from "../ui/text-input.tsx";
import { OPERATIONS } from "./operations.ts";

/** Shows the secret to an authenticator app, takes its first code, and shows the recovery codes once. */
export function EnrolForm({
  secret,
  uri,
  onDone,
  onCancel,
}: {
  secret: string;
  uri: string;
  onDone: () => void;
  onCancel: () => void;
}) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const { form, submit, error, isPending } = useOperationForm(
    OPERATIONS.enableSecondFactor,
    { code: "" },
    (answer) => setCodes(answer.recovery_codes),
  );
  const picture = useMemo(
    () => `data:image/svg+xml,${encodeURIComponent(renderSVG(uri, { border: 2 }))}`,
    [uri],
  );
  if (codes !== null) {
    return (
      <div className="flex flex-col gap-4">
        <ShownOnce
          label="Recovery codes"
          note="Two-factor authentication is on. If you lose your authenticator app, each of these codes signs you in once."
          text={codes.join(" ")}
        />
        <Button onPress={onDone}>Done</Button>
      </div>
    );
  }
  const confirm = (event: FormEvent) => {
    event.preventDefault();
    submit({ body: form.values });
  };
  return (
    <Form className="flex flex-col gap-4" noValidate onSubmit={confirm}>
      <p className="text-muted">
        Scan the QR code with an authenticator app, or enter the secret manually. Then enter the
        code it shows.
      </p>
      {/* The picture is generated here from text, so there is no image file to optimize. */}
      {/* oxlint-disable-next-line nextjs/no-img-element */}
      <img alt="QR code of the secret" className="mx-auto size-44 rounded-lg" src={picture} />
      <p className="flex items-center justify-center gap-1">
        <code aria-label="Secret" className="font-mono text-xs break-all" role="note">
          {secret}
        </code>
        <CopyButton text={secret} what="secret" />
      </p>
      <TextInput
        autoComplete="one-time-code"
        autoFocus
        error={form.errors["code"]}
        label="Code"
        onChange={(value) => form.set("code", value)}
        value={form.values.code}
      />
      {Object.keys(form.errors).length === 0 && <ProblemAlert error={error} />}
      <Decision isPending={isPending} onCancel={onCancel} />
    </Form>
  );
}

function Decision({ isPending, onCancel }: { isPending: boolean; onCancel: () => void }) {
  return (
    <div className="flex justify-end gap-2">
      <Button onPress={onCancel} variant="secondary">
        Cancel
      </Button>
      <Button isPending={isPending} type="submit">
        Confirm
      </Button>
    </div>
  );
}
