"use client";

import { Form } from "../../ui/form.tsx";
import { Alert } from "../../ui/alert.tsx";
import { Button } from "../../ui/button.tsx";
import { enter, enterByProvider } from "../enter.ts";
import { Link } from "../../ui/link.tsx";
import { useState } from "react";
import type { FormEvent } from "react";
import { toGatePath } from "../../client/gate-path.ts";
import { TextInput } from "../../ui/text-input.tsx";
import { toWaitText } from "#lib/base/wait-text.ts";

const REFUSED = "We couldn't sign you in. Check your email, password, and code.";

const WORDS: Readonly<Record<string, string>> = {
  overloaded: "Too many people are signing in right now. Try again in a few seconds.",
  unavailable: "Sign-in is unavailable right now. Try again in a few seconds.",
  database_unavailable:
    "The database isn't responding, so nobody can sign in right now. Try again in a few seconds.",
  database_full: "The database has no room left, so nobody can sign in right now. Try again later.",
};

/** What a response's error means to the person signing in. */
function toProblem(error: string): string {
  const waitS = /^throttled:(?<waitS>[0-9]+)$/u.exec(error)?.groups?.["waitS"];
  return waitS === undefined
    ? (WORDS[error] ?? REFUSED)
    : `Too many failed attempts. Wait ${toWaitText(Number(waitS))}, then try again.`;
}

/** Asks for email and password and, once the password was right, for the second factor's code. */
export function SignInForm({
  email: initialEmail,
  failed,
  openIdHost,
  target,
}: {
  email: string;
  /** Why a sign-in with the identity provider failed; null unless one did. */
  failed: string | null;
  openIdHost: string | null;
  target: string;
}) {
  const { values, set, submit, asksCode, problem, isPending } = useSignIn({
    email: initialEmail,
    failed,
    target,
  });
  return (
    <Form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      {problem && <Alert tone="danger">{problem}</Alert>}
      <TextInput
        autoComplete="username"
        autoFocus={!asksCode}
        isRequired
        label="Email"
        onChange={(value) => set("email", value)}
        type="email"
        value={values.email}
      />
      <TextInput
        autoComplete="current-password"
        isRequired
        label="Password"
        onChange={(value) => set("password", value)}
        type="password"
        value={values.password}
      />
      <ForgotPassword target={target} />
      {asksCode && (
        <TextInput
          autoComplete="one-time-code"
          autoFocus
          description="The six digits from your authenticator app, or a recovery code."
          isRequired
          label="Authentication code"
          onChange={(value) => set("code", value)}
          value={values.code}
        />
      )}
      <Button className="w-full" isPending={isPending} type="submit">
        Sign in
      </Button>
      {openIdHost && (
        <Button
          className="w-full"
          onPress={() => void enterByProvider(target)}
          variant="outline"
        >{`Sign in with ${openIdHost}`}</Button>
      )}
    </Form>
  );
}

function ForgotPassword({ target }: { target: string }) {
  return (
    <Link
      className="underlined-link -mt-2 self-start text-xs"
      href={toGatePath("/forgot-password", target)}
    >
      Forgot password?
    </Link>
  );
}

/** The typed values, and the result of sending them. */
function useSignIn({
  email,
  failed,
  target,
}: {
  email: string;
  failed: string | null;
  target: string;
}) {
  const [values, setValues] = useState({ email, password: "", code: "" });
  const [asksCode, setAsksCode] = useState(false);
  const [problem, setProblem] = useState(failed === null ? null : toProblem(failed));
  const [isPending, setPending] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setPending(true);
    setProblem(null);
    const answer = await enter(values).catch(() => undefined);
    if (answer?.ok) {
      // A full page load, so that nothing of the visitor's pages stays in memory.
      window.location.assign(target);
      return;
    }
    setPending(false);
    if (answer?.error === "code_required") {
      setAsksCode(true);
    } else {
      setProblem(toProblem(answer?.error ?? "unavailable"));
    }
  };
  return {
    values,
    set: (name: keyof typeof values, value: string) =>
      setValues((old) => ({ ...old, [name]: value })),
    submit,
    asksCode,
    problem,
    isPending,
  };
}
