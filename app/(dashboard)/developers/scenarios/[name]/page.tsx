import type { Metadata } from "next";
import { findOperation } from "../../../../reference/reference.ts";
import { Breadcrumb } from "../../../../client/breadcrumb.tsx";
import { Missing, MISSING } from "../../../../page/missing.tsx";
import { personalPage } from "../../../../page/personal-page.tsx";
import { findScenarios, whyNotHere } from "../find-scenarios.ts";
import { ScenarioRun } from "./scenario-run.tsx";
import { RUN_VARIABLE, toCurl } from "./to-curl.ts";
import { env } from "#lib/base/env.ts";
import type { Scenario, ScenarioStep } from "#lib/scenarios/scenario.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

interface Props {
  params: Promise<{ name: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const scenario = await findScenario(params);
  return scenario ? { title: `${scenario.title} · Scenarios` } : MISSING;
}

export default personalPage(ScenarioPage);

async function ScenarioPage(session: StaffSession, { params }: Props) {
  const scenario = await findScenario(params);
  if (!scenario) {
    return <Missing back={{ href: "/developers/scenarios", name: "All scenarios" }} noun="page" />;
  }
  const curls = Object.fromEntries(scenario.steps.map((step) => [step.id, toCommand(step)]));
  return (
    <>
      <Breadcrumb list="/developers/scenarios" name="Scenarios">
        {scenario.title}
      </Breadcrumb>
      <ScenarioRun
        curls={curls}
        disabledReason={whyNotHere(session)}
        note={<Note name={scenario.name} />}
        scenario={scenario}
      />
    </>
  );
}

function Note({ name }: { name: string }) {
  return (
    <div className="text-muted flex max-w-3xl flex-col gap-2 leading-6">
      <p>
        A run registers a new sandbox account with the public API and never touches yours. From one
        network address, 20 accounts can be registered at once, and then one every half minute.
      </p>
      <p>
        In a shell, set <code className="font-mono text-xs">{RUN_VARIABLE}</code> to a text of your
        own first, or run all steps with{" "}
        <code className="text-foreground font-mono text-xs">{`npm run scenario -- ${name}`}</code>.
      </p>
      <noscript>
        <p>JavaScript is off. Run the steps with curl instead.</p>
      </noscript>
    </div>
  );
}

async function findScenario(params: Props["params"]): Promise<Scenario | undefined> {
  const { name } = await params;
  return (await findScenarios()).find((each) => each.name === name);
}

function toCommand(step: ScenarioStep): string {
  const members = findOperation(step.operation)?.body?.members ?? [];
  return toCurl(step, {
    baseUrl: `${env().publicUrl}/api`,
    isNumber: (member) =>
      members.some(({ name, type }) => name === member && type.startsWith("integer")),
  });
}
