import { Link } from "../ui/link.tsx";
import type { ReferenceOperation } from "./reference.ts";
import { declaredErrors } from "#lib/operations/refusals.ts";
import { PROBLEMS } from "#lib/base/error-codes.ts";
import type { ErrorCode } from "#lib/base/error-codes.ts";

/** Every code that an operation may return: its own first, then those that most operations share. */
export function OperationErrors({ operation: { contract } }: { operation: ReferenceOperation }) {
  const own = new Set<ErrorCode>([
    ...(contract.notFound ? [contract.notFound] : []),
    ...contract.errors,
  ]);
  const shared = [...declaredErrors(contract)].filter((code) => !own.has(code));
  return (
    <section aria-label="Errors" className="flex flex-col gap-3">
      <h2 className="text-xl font-semibold tracking-tight">Errors</h2>
      {own.size > 0 && <Codes codes={[...own]} />}
      <details open={own.size === 0}>
        <summary className="text-link focus-visible:outline-focus w-fit cursor-pointer rounded leading-6 outline-offset-2">
          Errors that most operations share
        </summary>
        <div className="pt-2">
          <Codes codes={shared} />
        </div>
      </details>
    </section>
  );
}

function Codes({ codes }: { codes: readonly ErrorCode[] }) {
  const sorted = codes.toSorted((a, b) => PROBLEMS[a].status - PROBLEMS[b].status);
  return (
    <ul className="border-border bg-surface divide-separator divide-y rounded-lg border">
      {sorted.map((code) => (
        <li className="flex items-baseline gap-3 px-4 py-2" key={code}>
          <span className="text-muted font-mono text-xs">{PROBLEMS[code].status}</span>
          <Link
            className="underlined-link font-mono text-xs/6 wrap-anywhere"
            href={`/docs/errors#${code}`}
          >
            {code}
          </Link>
        </li>
      ))}
    </ul>
  );
}
