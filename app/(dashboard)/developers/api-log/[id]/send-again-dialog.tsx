"use client";

import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Dialog } from "../../../../ui/dialog.tsx";
import { DialogForm } from "../../../../client/dialog-form.tsx";
import { Answers } from "./answers.tsx";
import { SendAgainFields } from "./send-again-fields.tsx";
import type { Decisions } from "./send-again-fields.tsx";
import { toBody } from "./to-body.ts";
import type { Resendable } from "./to-resendable.ts";
import { sendLogged } from "#lib/api/client.ts";
import type { KeptBody } from "#lib/record/request-resource.ts";
import { newId } from "#lib/base/ids.ts";

/** Asks for the values that were not kept, sends the request, and shows both responses. */
export function SendAgainDialog({
  resendable,
  first,
  onClose,
}: {
  resendable: Resendable;
  first: { status: number; body: KeptBody | null };
  onClose: () => void;
}) {
  const [decisions, setDecisions] = useState<Decisions>({ values: {}, key: "new" });
  const send = useSending(resendable, decisions);
  return (
    <Dialog onClose={onClose} size="lg" title={send.data ? "Both responses" : "Send again"}>
      {send.data ? (
        <Answers first={first} onAgain={() => send.reset()} onClose={onClose} second={send.data} />
      ) : (
        <DialogForm
          action="Send"
          error={send.error}
          isPending={send.isPending}
          onCancel={onClose}
          onSubmit={() => send.mutate()}
        >
          <SendAgainFields decisions={decisions} onChange={setDecisions} resendable={resendable} />
        </DialogForm>
      )}
    </Dialog>
  );
}

function useSending(resendable: Resendable, { values, key }: Decisions) {
  const signal = useLifetime();
  // The key stays the same until a response arrives, so that repeating a lost request changes things once.
  const [newKey, setNewKey] = useState(newId);
  const { method, path, apiVersion, takesKey } = resendable;
  const chosen = key === "same" ? resendable.key : newKey;
  return useMutation({
    mutationFn: () =>
      sendLogged(
        {
          method,
          path,
          apiVersion,
          idempotencyKey: takesKey ? chosen : null,
          body: toBody(resendable, values),
        },
        signal(),
      ),
    onSuccess: () => setNewKey(newId()),
  });
}

/** A request is aborted when its dialog closes. */
function useLifetime(): () => AbortSignal {
  const controller = useRef<AbortController | null>(null);
  useEffect(() => {
    controller.current = new AbortController();
    return () => controller.current?.abort();
  }, []);
  return () => controller.current?.signal ?? AbortSignal.abort();
}
