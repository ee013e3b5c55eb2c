"use client";

import { Link } from "../../../../ui/link.tsx";
import { Button } from "../../../../ui/button.tsx";
import { DialogBody, DialogFooter } from "../../../../ui/dialog.tsx";
import { JsonBlock } from "../../../../ui/code-block.tsx";
import { StatusLabel } from "../status-label.tsx";
import type { PlainAnswer } from "#lib/api/client.ts";
import type { KeptBody } from "#lib/record/request-resource.ts";

/** The kept part of the first response, beside the new one. */
export function Answers({
  first,
  second,
  onAgain,
  onClose,
}: {
  first: { status: number; body: KeptBody | null };
  second: PlainAnswer;
  onAgain: () => void;
  onClose: () => void;
}) {
  const kept = first.body?.text ?? JSON.stringify(first.body?.body ?? null);
  return (
    <>
      <DialogBody className="md:grid md:grid-cols-2">
        <Answer
          body={first.body === null || first.body.body === null ? null : kept}
          status={first.status}
          title="First response"
        />
        <Answer body={second.text} status={second.status} title="New response" />
        {second.requestId !== null && (
          <Link
            className="underlined-link md:col-span-2"
            href={`/developers/api-log/${second.requestId}`}
            onClick={onClose}
          >
            View new request
          </Link>
        )}
      </DialogBody>
      <DialogFooter>
        <Button onPress={onAgain} variant="secondary">
          Send once more
        </Button>
        <Button onPress={onClose}>Done</Button>
      </DialogFooter>
    </>
  );
}

function Answer({ title, status, body }: { title: string; status: number; body: string | null }) {
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-2">
      <h3 className="flex items-center gap-3 font-medium">
        <span>{title}</span> <StatusLabel status={status} />
      </h3>
      {body === null ? (
        <p className="text-muted">Its body wasn't kept.</p>
      ) : (
        <JsonBlock label={`${title} body`} text={body} />
      )}
    </section>
  );
}
