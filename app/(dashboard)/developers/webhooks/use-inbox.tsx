"use client";

import { useState } from "react";
import { fetched } from "../../../client/fetched.tsx";
import { notify } from "../../../client/notice-store.ts";
import { useOperation } from "../../../client/use-operation.ts";
import { GuardedButton } from "../../../ui/guarded-button.tsx";
import { ProblemAlert } from "../../../client/problem-alert.tsx";
import { OPERATIONS } from "../../../client/operations.ts";

const ReplaceUrlDialog = fetched(() =>
  import("./replace-url-dialog.tsx").then((loaded) => loaded.ReplaceUrlDialog),
);

/**
 * Makes the test inbox the account's webhook URL, which sends a first notification there. Asks before it replaces
 * another URL.
 */
export function UseInbox({
  webhookUrl,
  disabledReason,
}: {
  webhookUrl: string | null;
  disabledReason: string | null;
}) {
  const [isAsking, setAsking] = useState(false);
  const update = useOperation(OPERATIONS.updateAccount, () => {
    setAsking(false);
    notify("Webhooks go to the test inbox");
  });
  const create = useOperation(OPERATIONS.createInbox, ({ data }) =>
    update.mutate({ body: { webhook_url: data.url } }),
  );
  const isPending = create.isPending || update.isPending;
  const error = create.error ?? update.error;
  const start = () => create.mutate({});
  return (
    <>
      <GuardedButton
        disabledReason={disabledReason}
        isPending={isPending}
        onPress={() => (webhookUrl === null ? start() : setAsking(true))}
        size="sm"
        variant="secondary"
      >
        Use a test inbox
      </GuardedButton>
      {isAsking && webhookUrl !== null ? (
        <ReplaceUrlDialog
          error={error}
          isPending={isPending}
          onClose={() => setAsking(false)}
          onConfirm={start}
          webhookUrl={webhookUrl}
        />
      ) : (
        <ProblemAlert error={error} />
      )}
    </>
  );
}
