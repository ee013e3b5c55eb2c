"use client";

import { useMutation } from "@tanstack/react-query";
import { Form } from "../../ui/form.tsx";
import { Button } from "../../ui/button.tsx";
import { enter } from "../enter.ts";
import { useState } from "react";
import type { FormEvent } from "react";
import { useForm } from "../../client/use-form.ts";
import { ProblemAlert } from "../../client/problem-alert.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { CountrySelect } from "../../ui/country-select.tsx";
import { TextInput } from "../../ui/text-input.tsx";
import { OPERATIONS } from "../../client/operations.ts";
import type { Country } from "#lib/base/countries.ts";
import { callApi } from "#lib/api/client.ts";
import type { BodyOf } from "#lib/api/client.ts";

type Body = BodyOf<typeof OPERATIONS.registerIntegrator>;

const COMPANY = {
  name: "business_name",
  label: "Company",
  autoComplete: "organization",
} as const;
const PERSON = [
  { name: "first_name", label: "First name", autoComplete: "given-name" },
  { name: "last_name", label: "Last name", autoComplete: "family-name" },
  { name: "email", label: "Email", autoComplete: "username", type: "email" },
  { name: "password", label: "Password", autoComplete: "new-password", type: "password" },
] as const;

const EMPTY = {
  business_name: "",
  country: "",
  first_name: "",
  last_name: "",
  email: "",
  password: "",
};

/**
 * Asks only for what cannot be added in the settings later. Registers through the public operation, shows the first
 * API key once, and signs the owner in.
 */
export function SignUpForm({ countries }: { countries: readonly Country[] }) {
  const [apiKey, setApiKey] = useState<string | null>(null);
  const mutation = useMutation({
    mutationFn: (body: Body) => callApi(OPERATIONS.registerIntegrator, { body }),
    onSuccess: async ({ data }, { email, password }) => {
      await enter({ email, password });
      setApiKey(data.api_key);
    },
  });
  const form = useForm(EMPTY, mutation.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void form.send(OPERATIONS.registerIntegrator, form.values, () => mutation.mutate(form.values));
  };
  if (apiKey !== null) {
    return (
      <div className="flex flex-col gap-4">
        <ShownOnce
          label="API key"
          note="Your account is ready. Here is your first API key."
          text={apiKey}
        />
        <Button className="w-full" onPress={() => window.location.assign("/overview")}>
          Go to the dashboard
        </Button>
      </div>
    );
  }
  const toField = ({ name, ...field }: typeof COMPANY | (typeof PERSON)[number]) => (
    <TextInput
      key={name}
      {...field}
      error={form.errors[name]}
      isRequired
      onChange={(value) => form.set(name, value)}
      value={form.values[name]}
      {...(name === "password" ? { description: "At least 12 characters." } : {})}
    />
  );
  return (
    <Form className="flex flex-col gap-4" noValidate onSubmit={submit}>
      {toField(COMPANY)}
      <CountrySelect
        countries={countries}
        error={form.errors["country"]}
        onChange={(country) => form.set("country", country)}
        value={form.values.country}
      />
      {PERSON.map((field) => toField(field))}
      <ProblemAlert error={mutation.error} />
      <Button className="w-full" isPending={mutation.isPending} type="submit">
        Create account
      </Button>
    </Form>
  );
}
