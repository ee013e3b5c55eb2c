"use client";

import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { EnrolForm } from "../../client/enrol-form.tsx";
import { useOperation } from "../../client/use-operation.ts";
import { LinkButton } from "../../ui/link-button.tsx";
import { ProblemAlert } from "../../client/problem-alert.tsx";
import { OPERATIONS } from "../../client/operations.ts";

/** Sets up the second factor, then continues to `target`. */
export function Enrol({ isOn, target }: { isOn: boolean; target: string }) {
  const [secret, setSecret] = useState<{ secret: string; uri: string } | null>(null);
  const begin = useOperation(OPERATIONS.beginSecondFactor, setSecret);
  if (secret) {
    return (
      <EnrolForm
        {...secret}
        onCancel={() => setSecret(null)}
        onDone={() => window.location.assign(target)}
      />
    );
  }
  if (isOn) {
    return (
      <div className="flex flex-col items-start gap-3">
        <p>Your second factor is on.</p>
        <LinkButton href={target} variant="primary">
          Continue
        </LinkButton>
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-3">
      <Button className="w-full" isPending={begin.isPending} onPress={() => begin.mutate({})}>
        Set up
      </Button>
      <ProblemAlert error={begin.error} />
    </div>
  );
}
