"use client";

import { Check, X } from "lucide-react";
import { DialogButton } from "../../../client/dialog-button.tsx";
import { fetched } from "../../../client/fetched.tsx";
import { notify } from "../../../client/notice-store.ts";
import { OPERATIONS } from "../../../client/operations.ts";
import { useOperation } from "../../../client/use-operation.ts";
import { GuardedButton } from "../../../ui/guarded-button.tsx";
import { ApiProblem } from "#lib/api/client.ts";

const RejectDialog = fetched(() =>
  import("./reject-dialog.tsx").then((loaded) => loaded.RejectDialog),
);

/** Approves or rejects a request of somebody else; the requester can only cancel it. */
export function Decision({
  id,
  isOwn,
  disabledReason,
}: {
  id: string;
  isOwn: boolean;
  disabledReason: string | null;
}) {
  return isOwn ? (
    <CancelButton id={id} />
  ) : (
    <div className="flex gap-2">
      <DialogButton
        about={{ id }}
        dialog={RejectDialog}
        disabledReason={disabledReason}
        variant="secondary"
      >
        <X aria-hidden />
        Reject
      </DialogButton>
      <ApproveButton disabledReason={disabledReason} id={id} />
    </div>
  );
}

function ApproveButton({ id, disabledReason }: { id: string; disabledReason: string | null }) {
  const approve = useOperation(OPERATIONS.approveApproval, () => notify("Approved"));
  return (
    <GuardedButton
      disabledReason={disabledReason}
      isPending={approve.isPending}
      onPress={() => approve.mutate({ id }, { onError: tellRefusal })}
      variant="primary"
    >
      <Check aria-hidden />
      Approve
    </GuardedButton>
  );
}

function CancelButton({ id }: { id: string }) {
  const cancel = useOperation(OPERATIONS.cancelApproval, () => notify("Request canceled"));
  return (
    <GuardedButton
      disabledReason={null}
      isPending={cancel.isPending}
      onPress={() => cancel.mutate({ id }, { onError: tellRefusal })}
      variant="secondary"
    >
      <X aria-hidden />
      Cancel request
    </GuardedButton>
  );
}

/** Nothing was decided: the request still waits, unless somebody else decided first. */
function tellRefusal(error: unknown): void {
  const detail = error instanceof ApiProblem ? error.problem.detail : "Try again.";
  notify(`Nothing was decided. ${detail}`, "warning");
}
