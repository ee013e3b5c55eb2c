"use client";

import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { fetched } from "../../client/fetched.tsx";
import type { TryFormProps } from "./try-form.tsx";

const TryForm = fetched(
  () => import("./try-form.tsx").then((loaded) => loaded.TryForm),
  <p className="text-muted">Loading…</p>,
);

/** A button, and the form behind it, whose script is loaded when it is used. */
export function TryPanel(props: TryFormProps) {
  const [isOpen, setOpen] = useState(false);
  return isOpen ? (
    <TryForm {...props} />
  ) : (
    <>
      <p className="text-muted leading-6">
        Send this request to your sandbox account, with your own session.
      </p>
      <div>
        <Button onPress={() => setOpen(true)} variant="secondary">
          Set up the request
        </Button>
      </div>
    </>
  );
}
