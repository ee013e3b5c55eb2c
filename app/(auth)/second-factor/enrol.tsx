"use client";

import { Button } from "@heroui/react";
import { useState } from "react";
import { EnrolForm } from "../../(dashboard)/settings/security/enrol-form.tsx";
import { useOperation } from "../../client/use-operation.ts";
import { ProblemAlert } from "../../ui/problem-alert.tsx";
import { OPERATIONS } from "../../client/operations.ts";

export function Enrol() {
  const [secret, setSecret] = useState<{ secret: string; uri: string } | null>(null);
  const begin = useOperation(OPERATIONS.beginSecondFactor, setSecret);
  if (secret) {
    return <EnrolForm {...secret} onDone={() => window.location.assign("/overview")} />;
  }
  return (
    <div className="flex flex-col gap-3">
      <Button fullWidth isPending={begin.isPending} onPress={() => begin.mutate({})}>
        {" "}
        Set up{" "}
      </Button>
      <ProblemAlert error={begin.error} />
    </div>
  );
}
