"use client";

import { useQuery } from "@tanstack/react-query";
import type { Elements } from "../ui/elements.ts";
import { Button } from "../ui/button.tsx";
import { AuthCard } from "../ui/auth-card.tsx";
import { LinkButton } from "../ui/link-button.tsx";
import { ProblemAlert } from "../client/problem-alert.tsx";
import { useLinkToken } from "./link-token.ts";
import { OPERATIONS } from "../client/operations.ts";
import { ApiProblem, callApi } from "#lib/api/client.ts";
import type { AnswerOf } from "#lib/api/client.ts";

export type Offer = AnswerOf<typeof OPERATIONS.readLink>;

/** Reads what a one-time link is for, and shows the form that uses it, or why it can no longer be used. */
export function OneTimeLink({
  kind,
  children,
}: {
  kind: Offer["kind"];
  children: (offer: Offer, token: string) => Elements;
}) {
  const token = useLinkToken();
  const query = useQuery({
    queryKey: ["link", token],
    queryFn: () => callApi(OPERATIONS.readLink, { body: { token: token ?? "" } }),
    enabled: token !== undefined && token !== "",
    retry: false,
    refetchOnWindowFocus: false,
  });
  if (query.data?.kind === kind && token !== undefined) {
    return children(query.data, token);
  }
  if (token === "") {
    return <IncompleteLink />;
  }
  if (query.isPending) {
    return (
      <AuthCard title="Checking your link">
        <p className="text-muted" role="status">
          One moment…
        </p>
      </AuthCard>
    );
  }
  if (query.error && !isUnknown(query.error)) {
    return (
      <AuthCard title="We couldn't check your link">
        <ProblemAlert error={query.error} />
        <Button onPress={() => void query.refetch()}>Try again</Button>
      </AuthCard>
    );
  }
  return (
    <AuthCard
      description="It may have expired, been used, or been revoked. Ask the person who sent it for a new one."
      title="This link no longer works"
    >
      <LinkButton href="/sign-in">Sign in</LinkButton>
    </AuthCard>
  );
}

/** Whether the server has said that there is no such link. Without a response, this is not known. */
function isUnknown(error: unknown): boolean {
  return error instanceof ApiProblem && [404, 422].includes(error.problem.status);
}

/** Shown when the URL was copied without the part after the #, or typed by hand. */
function IncompleteLink() {
  return (
    <AuthCard
      description="Part of its address is missing. Copy the whole link from the message you received, including everything after the #, and open it again."
      title="This link is incomplete"
    >
      <LinkButton href="/sign-in">Sign in</LinkButton>
    </AuthCard>
  );
}
