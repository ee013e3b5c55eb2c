"use client";

import { Alert } from "../ui/alert.tsx";
import { CopyId } from "../ui/copy-id.tsx";
import { SessionEnded } from "./session-ended.tsx";
import { ApprovalNeeded } from "#lib/api/approval-needed.ts";
import { ApiProblem, isSessionEnd, OfflineError } from "#lib/api/client.ts";

/** What went wrong, in the server's words, with the request ID for its log. */
export function ProblemAlert({ error }: { error: unknown }) {
  if (!error) {
    return null;
  }
  if (isSessionEnd(error)) {
    return <SessionEnded error={error} />;
  }
  if (error instanceof ApprovalNeeded) {
    return (
      <Alert title="Sent for approval" tone="warning">
        Nothing has happened yet. An owner or an admin other than you must approve it.
      </Alert>
    );
  }
  if (error instanceof OfflineError) {
    return (
      <Alert title="You're offline" tone="danger">
        This change isn't confirmed and won't be sent later. Try again when you're back online.
      </Alert>
    );
  }
  if (!(error instanceof ApiProblem)) {
    return (
      <Alert title="No response" tone="danger">
        Check your connection and try again. The same request is never processed twice.
      </Alert>
    );
  }
  const { problem } = error;
  return (
    <Alert title={problem.status === 422 ? "We couldn't do that" : problem.title} tone="danger">
      <p>{problem.detail}</p>
      <p className="mt-1 flex items-center gap-1 text-xs">
        Request <CopyId id={problem.request_id} />
      </p>
    </Alert>
  );
}
