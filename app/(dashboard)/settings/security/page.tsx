import type { Metadata } from "next";
import { personalPage } from "../../../page/personal-page.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Time } from "../../../ui/time.tsx";
import { PasswordForm } from "./password-form.tsx";
import { SecondFactor } from "./second-factor.tsx";
import { SecondFactorPolicy } from "./second-factor-policy.tsx";
import { EndSession } from "./end-session.tsx";
import { OtherSessions } from "./other-sessions.tsx";
import { readAs } from "#lib/auth/page-session.ts";
import { isSecondFactorRequired } from "#lib/staff/staff.ts";
import { listSessions } from "#lib/staff/staff-sessions.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

export const metadata: Metadata = { title: "Security" };

export default personalPage(SecurityPage);

async function SecurityPage(session: StaffSession) {
  const { id, sessionId, hasSecondFactor, role } = session.actor.staff;
  const { sessions, required } = await readAs(session, async (ctx) => ({
    sessions: await listSessions(ctx, id),
    required: await isSecondFactorRequired(ctx),
  }));
  return (
    <>
      <PageHeader description="How you sign in, and where you're signed in." title="Security" />
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
        <Panel title="Password">
          <PasswordForm />
        </Panel>
        <div className="flex flex-col gap-6">
          <Panel title="Two-factor authentication">
            <SecondFactor isOn={hasSecondFactor} isRequired={required} />
          </Panel>
          <Panel title="Account policy">
            <SecondFactorPolicy
              disabledReason={role === "owner" ? null : "Only owners can do this."}
              required={required}
            />
          </Panel>
        </div>
      </div>
      <Panel action={sessions.length > 1 && <OtherSessions />} flush title="Active sessions">
        <ul className="divide-separator divide-y">
          {sessions.map((entry) => (
            <li
              className="flex flex-wrap items-center justify-between gap-x-6 px-4 py-2.5"
              key={entry.id}
            >
              <span className="min-w-0 flex-1 truncate" title={entry.agent ?? undefined}>
                <span>{toBrowser(entry.agent)}</span>
                {entry.id === sessionId && <span className="text-muted"> (this device)</span>}
              </span>
              <span className="text-muted font-mono text-xs">{entry.address}</span>
              <span className="text-muted text-xs">
                {" "}
                Last seen <Time at={entry.seenAt} />
              </span>
              {entry.id !== sessionId && (
                <EndSession device={toBrowser(entry.agent)} id={entry.id} />
              )}
            </li>
          ))}
        </ul>
      </Panel>
    </>
  );
}

const BROWSERS = ["Edg", "Firefox", "Chrome", "Safari"] as const;
const SYSTEMS = ["Windows", "Android", "iPhone", "iPad", "Mac OS", "Linux"] as const;

/** The browser and operating system, if the user agent names them. */
function toBrowser(agent: string | null): string {
  const browser = BROWSERS.find((name) => agent?.includes(name));
  const system = SYSTEMS.find((name) => agent?.includes(name));
  const named = browser === "Edg" ? "Edge" : (browser ?? "Unknown browser");
  return system ? `${named} on ${system.replace("Mac OS", "macOS")}` : named;
}
