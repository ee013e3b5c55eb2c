"use client";

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { AuthCard } from "../ui/auth-card.tsx";
import { LinkButton } from "../ui/link-button.tsx";
import { ProblemAlert } from "../ui/problem-alert.tsx";
import { useLinkToken } from "./link-token.ts";
import { OPERATIONS } from "../client/operations.ts";
import { callApi } from "#lib/api/client.ts";
import type { AnswerOf } from "#lib/api/client.ts";

export type Offer = AnswerOf<typeof OPERATIONS.readLink>;

/** Reads what a one-time link is for, and shows the form that uses it, or why it no longer can be used. */
export function OneTimeLink({
  kind,
  children,
}: {
  kind: Offer["kind"];
  children: (offer: Offer, token: string) => ReactNode;
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
  return (
    <AuthCard
      description="It may have expired, been used, or been revoked. Ask the person who sent it for a new one."
      title="This link no longer works"
    >
      <ProblemAlert error={query.error} />
      <LinkButton href="/sign-in">Sign in</LinkButton>
    </AuthCard>
  );
}

/** The address was copied without what follows its #, or opened by hand. */
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
