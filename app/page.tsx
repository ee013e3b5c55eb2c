import { redirect } from "next/navigation";
import { toOperationHref } from "./reference/href.ts";
import { findStaff } from "./page/staff-page.ts";
import { LinkButton } from "./ui/link-button.tsx";
import { SandboxStripe } from "./ui/sandbox-stripe.tsx";
import { Wordmark } from "./ui/wordmark.tsx";
import { updateAccount } from "#lib/operations/account/update-account.ts";
import { freezeCard } from "#lib/operations/cards/freeze-card.ts";
import { unfreezeCard } from "#lib/operations/cards/unfreeze-card.ts";
import { creditCard } from "#lib/operations/funds/credit-card.ts";
import { debitCard } from "#lib/operations/funds/debit-card.ts";
import { topUpFloat } from "#lib/operations/funds/top-up-float.ts";
import { formatMoney } from "#lib/base/money.ts";
import { env } from "#lib/base/env.ts";

/** What a visitor of the server's address needs for a first call. */
export default async function WelcomePage() {
  if (await findStaff()) {
    redirect("/overview");
  }
  const { environment, publicUrl } = env();
  const baseUrl = `${publicUrl}/api`;
  return (
    <>
      {environment === "sandbox" && <SandboxStripe />}
      <main className="mx-auto flex max-w-3xl flex-col gap-10 px-4 py-12 sm:px-8 sm:py-20">
        <header className="flex flex-col gap-3">
          <div className="flex items-center justify-between gap-4">
            <Wordmark />
            <LinkButton href="/sign-in" variant="primary">
              Sign in
            </LinkButton>
          </div>
          <h1 className="text-3xl font-semibold tracking-tight text-balance sm:text-4xl">
            Run your cards from one float
          </h1>
          <p className="text-muted max-w-xl text-base/7">
            Freeze and unfreeze cards, move funds between your float and your cards, and withdraw
            from frozen cards, in the dashboard or over REST. This server answers every call below.
          </p>
        </header>
        <Facts baseUrl={baseUrl} environment={environment} />
        <FirstCall baseUrl={baseUrl} />
        <Operations />
      </main>
    </>
  );
}

function Facts({ baseUrl, environment }: { baseUrl: string; environment: string }) {
  return (
    <dl className="border-border bg-surface divide-separator divide-y rounded-lg border">
      <Fact term="Base URL">
        <code className="font-mono break-all">{baseUrl}</code>
      </Fact>
      <Fact term="Environment">{environment}</Fact>
      <Fact term="Guides">
        <Link href="/docs/quick-start">Quick start</Link>, and{" "}
        <Link href="/docs">all documentation</Link>
      </Fact>
      <Fact term="Reference">
        <Link href="/docs/api">API reference</Link>, and its{" "}
        <Link href="/api/openapi.json">OpenAPI 3.1 document</Link>
      </Fact>
      <Fact term="Health">
        <Link href="/api/health/ready">Readiness check</Link>
      </Fact>
    </dl>
  );
}

function Fact({ term, children }: { term: string; children: React.ReactNode }) {
  return (
    <div className="flex flex-col gap-1 px-4 py-3 sm:flex-row sm:gap-6">
      <dt className="text-muted sm:w-32 sm:shrink-0">{term}</dt>
      <dd className="min-w-0 font-medium">{children}</dd>
    </div>
  );
}

function Link({ href, children }: { href: string; children: React.ReactNode }) {
  return (
    <a className="underlined-link" href={href}>
      {children}
    </a>
  );
}

const EXAMPLE_AMOUNT = 2_000;

function FirstCall({ baseUrl }: { baseUrl: string }) {
  const command = [
    `curl -X PATCH ${baseUrl}/cards/credit/balance \\`,
    "  -H 'Authorization: Bearer <API key>' \\",
    "  -H 'Content-Type: application/json' \\",
    `  -d '{"card_id":"<card id>","amount":${EXAMPLE_AMOUNT}}'`,
  ].join("\n");
  return (
    <section aria-labelledby="first-call" className="flex flex-col gap-3">
      <h2 className="text-base font-semibold" id="first-call">
        {" "}
        Make your first call{" "}
      </h2>
      <p className="text-muted leading-6">{`Amounts are whole numbers of minor units: ${EXAMPLE_AMOUNT} is ${formatMoney(EXAMPLE_AMOUNT, "USD")}. The terminal that started this server prints an API key and a card ID to try.`}</p>
      <pre className="border-border bg-surface rounded-lg border p-4 font-mono text-xs/6 break-all whitespace-pre-wrap">
        {command}
      </pre>
    </section>
  );
}

/** The daily operations; the reference has all of them. */
const DAILY = [freezeCard, unfreezeCard, creditCard, debitCard, topUpFloat, updateAccount];

function Operations() {
  return (
    <section aria-labelledby="operations" className="flex flex-col gap-3">
      <h2 className="text-base font-semibold" id="operations">
        Operations
      </h2>
      <ul className="border-border bg-surface divide-separator divide-y rounded-lg border">
        {DAILY.map(({ id, method, path, summary }) => (
          <li className="flex flex-col gap-1 px-4 py-3 sm:flex-row sm:gap-6" key={id}>
            <code className="font-mono text-xs/5 sm:w-72 sm:shrink-0">
              <span className="text-muted">{method}</span>{" "}
              <Link href={toOperationHref(id)}>{path}</Link>
            </code>
            <span className="text-muted">{summary}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
