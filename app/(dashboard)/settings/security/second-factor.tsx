"use client";

import { ShieldCheck, ShieldOff } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { fetched } from "../../../client/fetched.tsx";
import { notify } from "../../../client/notice-store.ts";
import { useOperation } from "../../../client/use-operation.ts";
import { ProblemAlert } from "../../../client/problem-alert.tsx";
import { OPERATIONS } from "../../../client/operations.ts";

const EnrolDialog = fetched(() =>
  import("./enrol-dialog.tsx").then((loaded) => loaded.EnrolDialog),
);

/** The person's own second factor: on or off, and how to change that. */
export function SecondFactor({ isOn, isRequired }: { isOn: boolean; isRequired: boolean }) {
  const [secret, setSecret] = useState<{ secret: string; uri: string } | null>(null);
  const begin = useOperation(OPERATIONS.beginSecondFactor, setSecret);
  const disable = useOperation(OPERATIONS.disableSecondFactor, () => {
    notify("Two-factor authentication removed");
  });
  return (
    <div className="flex flex-col items-start gap-3">
      <p className="flex items-center gap-2">
        {isOn ? (
          <ShieldCheck aria-hidden className="text-active size-4" />
        ) : (
          <ShieldOff aria-hidden className="text-muted size-4" />
        )}
        <span>
          {isOn
            ? "On: you sign in with your password and a code from your authenticator app."
            : "Off: you sign in with your password only."}
        </span>
      </p>
      {isOn ? (
        <Button
          isPending={disable.isPending}
          onPress={() => disable.mutate({})}
          size="sm"
          variant="danger-soft"
        >
          Remove
        </Button>
      ) : (
        <Button isPending={begin.isPending} onPress={() => begin.mutate({})} size="sm">
          Set up
        </Button>
      )}
      {isOn && isRequired && (
        <p className="text-muted text-xs">
          This account requires two-factor authentication. If you remove it, you must set it up
          again right away.
        </p>
      )}
      <ProblemAlert error={begin.error ?? disable.error} />
      {secret && <EnrolDialog {...secret} onClose={() => setSecret(null)} />}
    </div>
  );
}
