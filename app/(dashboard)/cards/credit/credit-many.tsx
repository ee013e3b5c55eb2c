"use client";

import { Upload } from "lucide-react";
import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import { ProblemAlert } from "../../../client/problem-alert.tsx";
import { useUnsavedChanges } from "../../../client/unsaved-changes.ts";
import { Button } from "../../../ui/button.tsx";
import { GuardedButton } from "../../../ui/guarded-button.tsx";
import { Link } from "../../../ui/link.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { TextInput } from "../../../ui/text-input.tsx";
import { toTypedAmount } from "#lib/base/typed-amount.ts";
import type { CreditPreview } from "#lib/bulk/credit-preview.ts";
import { minorDigits } from "#lib/base/currencies.ts";
import { CheckedRows } from "./checked-rows.tsx";
import type { CreditFile } from "./credit-file.ts";
import { decodeFile } from "./decode-file.ts";
import { useCheck } from "./use-check.ts";
import type { Checked } from "./use-check.ts";

/** Reads cards and amounts from a file or from pasted rows, checks each row, and credits the valid ones. */
export function CreditMany({
  available,
  currency,
  disabledReason,
  preview,
}: {
  /** The preview of the check that the page's address names. */
  preview: CreditPreview | null;
  /** In minor units. */
  available: number;
  currency: string;
  disabledReason: string | null;
}) {
  const { text, fault, isGuessed, isReading, checked, check, type, choose, run } =
    useRows(currency);
  return (
    <>
      <Panel
        action={<FileButton onChoose={(file) => void choose(file)} />}
        title="Cards and amounts"
      >
        <div className="flex flex-col gap-4">
          <p className="text-muted max-w-2xl">
            A CSV file, or rows copied from a spreadsheet, with the columns card_id, amount, and, if
            you like, narrative. Instead of card_id, the columns last4 and name can name a card. The
            quickest way:{" "}
            <Link className="underlined-link" href="/cards">
              export your cards
            </Link>
            , add an amount column, and choose that file.
          </p>
          <TextInput
            error={fault}
            label="Rows"
            rows={3}
            onChange={type}
            placeholder={`card_id,amount\n01a1fd1b-…,${toExample(currency)}`}
            value={text}
          />
          {isGuessed && <GuessedNote />}
          <ProblemAlert error={check.error} />
          <div>
            <GuardedButton
              disabledReason={disabledReason}
              isPending={isReading || check.isPending}
              onPress={() => void run(text)}
            >
              Check rows
            </GuardedButton>
          </div>
        </div>
      </Panel>
      {checked && (
        <CheckedRows
          available={available}
          checked={checked}
          currency={currency}
          disabledReason={disabledReason}
          key={checked.jobId}
          preview={preview !== null && preview.jobId === checked.jobId ? preview : null}
        />
      )}
    </>
  );
}

/** The rows as typed or read from a file, and what their check has found. */
function useRows(currency: string) {
  const [text, setText] = useState("");
  const [isGuessed, setGuessed] = useState(false);
  const [fault, setFault] = useState<string | undefined>();
  const [isReading, setReading] = useState(false);
  const [checked, setChecked] = useState<Checked | null>(null);
  const check = useCheck();
  const router = useRouter();
  useUnsavedChanges(text !== "");
  const change = (next: string) => {
    setText(next);
    setFault(undefined);
    setChecked(null);
    check.reset();
  };
  const show = (found: Checked) => {
    setChecked(found);
    if (found.jobId !== null) {
      // The page then reads the result of the check: the amounts for each person.
      router.replace(`/cards/credit?check=${found.jobId}`, { scroll: false });
    }
  };
  const run = async (given: string) => {
    setReading(true);
    const file = await read(given, currency).finally(() => setReading(false));
    if ("fault" in file) {
      setFault(file.fault);
    } else {
      check.mutate(file, { onSuccess: show });
    }
  };
  const choose = async (file: File) => {
    const decoded = decodeFile(new Uint8Array(await file.arrayBuffer()));
    setGuessed(decoded.isGuessed);
    change(decoded.text);
    await run(decoded.text);
  };
  const type = (next: string) => {
    setGuessed(false);
    change(next);
  };
  return { text, fault, isGuessed, isReading, checked, check, type, choose, run };
}

/** The parser is loaded on first use. */
async function read(text: string, currency: string): Promise<CreditFile> {
  try {
    const { readRows } = await import("./read-rows.ts");
    return await readRows(text, currency);
  } catch {
    return {
      fault: "The cards could not be looked up. Check your connection, and check the rows again.",
    };
  }
}

function GuessedNote() {
  return (
    <p className="text-pending" role="status">
      This file does not say how its letters are encoded. It was read as Windows-1252: compare names
      and narratives above with the file, or save it as CSV UTF-8.
    </p>
  );
}

function FileButton({ onChoose }: { onChoose: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button onPress={() => input.current?.click()} size="sm" variant="secondary">
        <Upload aria-hidden />
        Choose file
      </Button>
      <input
        accept=".csv,.tsv,.txt,text/csv"
        aria-label="File"
        className="hidden"
        onChange={({ currentTarget: chosen }) => {
          const file = chosen.files?.[0];
          // So that the same file can be chosen again after it was corrected.
          chosen.value = "";
          if (file) {
            onChoose(file);
          }
        }}
        ref={input}
        type="file"
      />
    </>
  );
}

function toExample(currency: string): string {
  return toTypedAmount(Number("2500".padEnd(2 + minorDigits(currency), "0")), currency);
}
