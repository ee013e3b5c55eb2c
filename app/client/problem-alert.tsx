"use client";

import { Alert } from "@heroui/react";
import { CopyId } from "../ui/copy-id.tsx";
import { SessionEnded } from "./session-ended.tsx";
import { ApiProblem, isSessionEnd, OfflineError } from "#lib/api/client.ts";

/** What went wrong, in the server's words, with the request ID that its log has. */
export function ProblemAlert({ error }: { error: unknown }) {
  if (!error) {
    return null;
  }
  if (isSessionEnd(error)) {
    return <SessionEnded error={error} />;
  }
  if (!(error instanceof ApiProblem)) {
    return (
      <Alert role="alert" status="danger">
        <Alert.Indicator />
        <Alert.Content>
          {error instanceof OfflineError ? (
            <>
              <Alert.Title>You're offline</Alert.Title>
              <Alert.Description>
                This change isn't confirmed and won't be sent later. Try again when you're back
                online.
              </Alert.Description>
            </>
          ) : (
            <>
              <Alert.Title>No response</Alert.Title>
              <Alert.Description>
                Check your connection and try again. The same request is never processed twice.
              </Alert.Description>
            </>
          )}
        </Alert.Content>
      </Alert>
    );
  }
  const { problem } = error;
  return (
    <Alert role="alert" status="danger">
      <Alert.Indicator />
      <Alert.Content>
        <Alert.Title>{problem.status === 422 ? "We couldn't do that" : problem.title}</Alert.Title>
        <Alert.Description>
          <span className="block">{problem.detail}</span>
          <span className="mt-1 flex items-center gap-1 text-xs">
            Request <CopyId id={problem.request_id} />
          </span>
        </Alert.Description>
      </Alert.Content>
    </Alert>
  );
}
