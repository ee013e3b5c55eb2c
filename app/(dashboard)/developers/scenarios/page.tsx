import type { Metadata } from "next";
import { Link } from "../../../ui/link.tsx";
import { personalPage } from "../../../page/personal-page.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { findScenarios, whyNotHere } from "./find-scenarios.ts";
import type { Scenario } from "#lib/scenarios/scenario.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

export const metadata: Metadata = { title: "Scenarios" };

export default personalPage(ScenariosPage);

async function ScenariosPage(session: StaffSession) {
  const scenarios = await findScenarios();
  return (
    <>
      <PageHeader
        description={
          <>
            <span>
              What Floatdeck guarantees, as requests that you can read, run here, and run with{" "}
              <code className="font-mono text-xs">npm run scenario</code>.
            </span>{" "}
            <span>{whyNotHere(session)}</span>
          </>
        }
        title="Scenarios"
      />
      <Panel flush title={`${scenarios.length} scenarios`}>
        <ul className="divide-separator divide-y">
          {scenarios.map((scenario) => (
            <Entry key={scenario.name} scenario={scenario} />
          ))}
        </ul>
      </Panel>
    </>
  );
}

function Entry({ scenario: { name, title, summary, steps } }: { scenario: Scenario }) {
  return (
    <li className="hover:bg-surface-secondary relative flex items-start justify-between gap-6 px-4 py-3">
      <div className="flex min-w-0 flex-col gap-1">
        <Link
          className="focus-visible:outline-focus font-medium outline-offset-2 after:absolute after:inset-0"
          href={`/developers/scenarios/${name}`}
        >
          {title}
        </Link>
        <p className="text-muted leading-6">{summary}</p>
      </div>
      <span className="text-muted shrink-0 leading-6 tabular-nums">{`${steps.length} steps`}</span>
    </li>
  );
}
