import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { countNeeds } from "../page/needs.ts";
import { DeadlineClockProvider } from "../client/deadline-clock.tsx";
import { MadeFor } from "../client/made-for.tsx";
import { TimeZoneNote, TimeZoneProvider } from "../ui/time-zone.tsx";
import { THEME_COOKIE, toTheme } from "../ui/theme.ts";
import { SandboxStripe } from "../ui/sandbox-stripe.tsx";
import { ClockMenu } from "./clock-menu.tsx";
import { Main } from "./main.tsx";
import { MobileBar } from "./mobile-bar.tsx";
import { NavigationSkeleton } from "./navigation-skeleton.tsx";
import { Outcomes } from "./outcomes.tsx";
import { Palette } from "./palette.tsx";
import { RememberList } from "./remember-list.tsx";
import { SideBar } from "./side-bar.tsx";
import { FOLDED_COOKIE } from "./side-bar-fold.ts";
import { AccountAlerts } from "./account-alerts.tsx";
import { roleDisabledReason } from "#lib/access/roles.ts";
import { THIS_PROCESS } from "#lib/base/this-process.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

/** The frame around every page of a signed-in person. */
export async function Shell({ session, children }: { session: StaffSession; children: ReactNode }) {
  const { actor, email, businessName, environment, timeZone, clockOffsetS } = session;
  const jar = await cookies();
  const person = { name: actor.ref.name, email, role: actor.staff.role, businessName };
  const needs = await countNeeds(session);
  const theme = toTheme(jar.get(THEME_COOKIE)?.value);
  return (
    <MadeFor staffId={actor.staff.id}>
      <TimeZoneProvider timeZone={timeZone}>
        <DeadlineClockProvider clockOffsetS={clockOffsetS}>
          <Palette
            disabledReasons={{
              state: roleDisabledReason(actor.staff.role, "cards:write"),
              funds: roleDisabledReason(actor.staff.role, "funds:write"),
            }}
          >
            <RememberList />
            <Outcomes person={actor.staff.id} />
            <a
              className="bg-accent text-accent-foreground sr-only z-50 rounded-md px-3 py-2 focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
              href="#content"
            >
              Skip to content
            </a>
            {environment === "sandbox" && (
              <SandboxStripe aheadS={clockOffsetS}>
                <ClockMenu disabledReason={roleDisabledReason(actor.staff.role, "sandbox:write")} />
              </SandboxStripe>
            )}
            <div
              className={`flex min-h-[calc(100dvh-var(--stripe))] flex-col md:flex-row ${environment === "sandbox" ? "[--stripe:1.5rem]" : "[--stripe:0rem]"}`}
            >
              <MobileBar needs={needs} person={person} theme={theme} />
              <SideBar
                initiallyFolded={jar.get(FOLDED_COOKIE)?.value === "1"}
                needs={needs}
                person={person}
                theme={theme}
              />
              <Main>
                <noscript>
                  <p className="border-border bg-surface rounded-lg border px-4 py-3">
                    JavaScript is off. You can read every page, but actions such as freezing a card
                    or moving funds need it.
                  </p>
                </noscript>
                <AccountAlerts session={session} />
                <NavigationSkeleton>{children}</NavigationSkeleton>
                <p className="mt-auto flex flex-wrap justify-between gap-x-4">
                  <TimeZoneNote of="Dates and times" />
                  <span className="text-muted text-xs">{`Floatdeck ${THIS_PROCESS.version}`}</span>
                </p>
              </Main>
            </div>
          </Palette>
        </DeadlineClockProvider>
      </TimeZoneProvider>
    </MadeFor>
  );
}
