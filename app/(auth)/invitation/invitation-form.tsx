"use client";

import { useMutation } from "@tanstack/react-query";
import { Form } from "../../ui/form.tsx";
import { Button } from "../../ui/button.tsx";
import { enter } from "../enter.ts";
import { useState } from "react";
import type { FormEvent } from "react";
import { LinkButton } from "../../ui/link-button.tsx";
import { useForm } from "../../client/use-form.ts";
import { AuthCard } from "../../ui/auth-card.tsx";
import { ProblemAlert } from "../../client/problem-alert.tsx";
import { TextInput } from "../../ui/text-input.tsx";
import { OneTimeLink } from "../one-time-link.tsx";
import type { Offer } from "../one-time-link.tsx";
import { OPERATIONS } from "../../client/operations.ts";
import { callApi } from "#lib/api/client.ts";

export function InvitationForm() {
  return (
    <OneTimeLink kind="invitation">
      {(offer, token) => <Accept offer={offer} token={token} />}
    </OneTimeLink>
  );
}

/** Creates the member of staff and signs them in. */
function Accept({ offer, token }: { offer: Offer; token: string }) {
  const [joined, setJoined] = useState<string | null>(null);
  const mutation = useMutation({
    mutationFn: (body: { first_name: string; last_name: string; password: string }) =>
      callApi(OPERATIONS.acceptInvitation, { body: { ...body, token } }),
    onSuccess: async ({ email }, { password }) => {
      // The invitation is used up, whether or not the sign-in succeeds.
      const entered = await enter({ email, password }).catch(() => undefined);
      if (entered?.ok) {
        window.location.assign("/overview");
      } else {
        setJoined(email);
      }
    },
  });
  const form = useForm({ first_name: "", last_name: "", password: "" }, mutation.error);
  if (joined !== null) {
    return <SignInYourself businessName={offer.business_name} email={joined} />;
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void form.send(OPERATIONS.acceptInvitation, { ...form.values, token }, () =>
      mutation.mutate(form.values),
    );
  };
  return (
    <AuthCard
      description={`You'll join as ${offer.role ?? "staff"} and sign in with ${offer.email}.`}
      title={`Join ${offer.business_name}`}
    >
      <Form className="flex flex-col gap-4" noValidate onSubmit={submit}>
        <TextInput
          autoComplete="given-name"
          error={form.errors["first_name"]}
          isRequired
          label="First name"
          onChange={(value) => form.set("first_name", value)}
          value={form.values.first_name}
        />
        <TextInput
          autoComplete="family-name"
          error={form.errors["last_name"]}
          isRequired
          label="Last name"
          onChange={(value) => form.set("last_name", value)}
          value={form.values.last_name}
        />
        <TextInput
          autoComplete="new-password"
          description="At least 12 characters."
          error={form.errors["password"]}
          isRequired
          label="Password"
          onChange={(value) => form.set("password", value)}
          type="password"
          value={form.values.password}
        />
        <ProblemAlert error={mutation.error} />
        <Button className="w-full" isPending={mutation.isPending} type="submit">
          Join
        </Button>
      </Form>
    </AuthCard>
  );
}

/** Says what to do after a failed sign-in, because the invitation cannot be accepted again. */
function SignInYourself({ businessName, email }: { businessName: string; email: string }) {
  return (
    <AuthCard
      description="Your account is ready, but we couldn't sign you in just now. Sign in with your email and the password you just chose."
      title={`You've joined ${businessName}`}
    >
      <LinkButton href={`/sign-in?email=${encodeURIComponent(email)}`} variant="primary">
        Sign in
      </LinkButton>
    </AuthCard>
  );
}
