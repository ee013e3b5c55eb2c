"use client";

import { Alert } from "@heroui/react";
import { CopyId } from "./copy-id.tsx";
import { ApiProblem, OfflineError } from "#lib/api/client.ts";

/** What went wrong, in the server's words, with the id under which its log has it. */
export function ProblemAlert({ error }: { error: unknown }) {
  if (!error) {
    return null;
  }
  if (!(error instanceof ApiProblem)) {
    return (
      <Alert role="alert" status="danger">
        <Alert.Indicator />
        <Alert.Content>
          {error instanceof OfflineError ? (
            <>
              <Alert.Title>You are offline</Alert.Title>
              <Alert.Description>
                The server has not confirmed this, and nothing is sent later by itself. Try again
                once you are connected.
              </Alert.Description>
            </>
          ) : (
            <>
              <Alert.Title>No answer came</Alert.Title>
              <Alert.Description>
                Check the connection and try again: the same request is never done twice.
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
        <Alert.Title>{problem.title}</Alert.Title>
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
