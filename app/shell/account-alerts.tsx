import { cookies } from "next/headers";
import { Link } from "../ui/link.tsx";
import type { ReactNode } from "react";
import { ExactTime, Time } from "../ui/time.tsx";
import { toDeficitSentence } from "../float/float-warning.tsx";
import { AlertBanner } from "./alert-banner.tsx";
import { DISMISSED_COOKIE, toDismissed } from "./alert-dismissal.ts";
import { readOnceAs } from "#lib/auth/page-session.ts";
import { formatMoney } from "#lib/base/money.ts";
import { listAlerts } from "#lib/overview/alerts.ts";
import type { Alert } from "#lib/overview/alerts.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";
import { SWITCH_OFF_REASONS } from "#lib/webhooks/delivery-states.ts";

/** Shows alerts about the account and the person's own sign-in on every page. */
export async function AccountAlerts({ session }: { session: StaffSession }) {
  const dismissed = toDismissed((await cookies()).get(DISMISSED_COOKIE)?.value);
  const banners = (await readOnceAs(session, listAlerts)).map(toBanner);
  const shown = [...toReset(session.passwordReset), ...banners].filter(
    ({ key }) => key === null || !dismissed.includes(key),
  );
  return shown.map(({ kind, about, key, tone, elsewhere, text }) => (
    <AlertBanner
      dismissKey={key}
      dismissed={dismissed}
      elsewhere={elsewhere}
      key={key ?? `${kind} ${about ?? ""}`}
      tone={tone}
    >
      {text}
    </AlertBanner>
  ));
}

interface Banner {
  kind: Alert["kind"] | "password_reset";
  /** Distinguishes it from others of its kind. */
  about?: string;
  tone: "serious" | "calm";
  /**
   * The key to dismiss it by. Null for alerts that must stay, because funds or notifications have stopped or are
   * about to.
   */
  key: string | null;
  /** Pages that show this alert themselves, where it is omitted. */
  elsewhere: readonly string[];
  text: ReactNode;
}

/** Tells the person about a password link wherever they sign in next, because somebody else may have used it. */
function toReset(reset: StaffSession["passwordReset"]): Banner[] {
  if (!reset) {
    return [];
  }
  const text = (
    <>
      <span>Your password was reset on</span> <ExactTime at={reset.at} />
      <span>{`, with a link created by ${reset.by}.`}</span>{" "}
      <span>If you didn&apos;t expect this, change your password and tell an owner.</span>{" "}
      <Go href="/settings/security">Go to security</Go>
    </>
  );
  const key = `password-${reset.at.getTime()}`;
  return [{ kind: "password_reset", tone: "serious", key, elsewhere: [], text }];
}

function toBanner(alert: Alert): Banner {
  const { kind } = alert;
  if (kind === "float_low") {
    return toLow(alert);
  }
  if (kind === "float_deficit") {
    return toDeficit(alert);
  }
  if (kind === "webhooks_failing") {
    return toFailing(alert);
  }
  if (kind === "webhooks_disabled") {
    return toDisabled(alert);
  }
  if (kind === "read_only" || kind === "account_stopped") {
    return toStopped(alert);
  }
  const text = (
    <>
      <span>The ledger check found a discrepancy</span> <Time at={alert.since} />
      <span>. Fund movements are suspended until it is resolved.</span>{" "}
      <Go href="/overview">View overview</Go>
    </>
  );
  return { kind, tone: "serious", key: null, elsewhere: [], text };
}

function toStopped({
  kind,
  since,
}: Extract<Alert, { kind: "read_only" | "account_stopped" }>): Banner {
  const isAll = kind === "read_only";
  const text = (
    <>
      <span>
        {isAll
          ? "All changes are stopped."
          : "Changes to this account are stopped, and its cards decline."}
      </span>{" "}
      <span>The operator of this server stopped them</span> <Time at={since} />
      <span>
        {isAll
          ? ". You can look at everything."
          : ". You can look at everything; ask the operator."}
      </span>
    </>
  );
  return { kind, tone: "serious", key: null, elsewhere: [], text };
}

function toDisabled(alert: Extract<Alert, { kind: "webhooks_disabled" }>): Banner {
  const { kind, since, reason, endpoint } = alert;
  const text = (
    <>
      <span>{`Webhooks${toHost(endpoint)} were disabled`}</span> <Time at={since} />
      <span>{`. ${SWITCH_OFF_REASONS[reason]}`}</span>{" "}
      <Go href={toEndpointHref(endpoint)}>Go to webhooks</Go>
    </>
  );
  return { kind, about: endpoint?.id ?? "", tone: "serious", key: null, elsewhere: [], text };
}

type About = Extract<Alert, { kind: "webhooks_disabled" }>["endpoint"];

function toHost(endpoint: About): string {
  return endpoint ? ` to ${URL.parse(endpoint.url)?.host ?? endpoint.url}` : "";
}

function toEndpointHref(endpoint: About): string {
  return endpoint ? `/developers/webhooks/endpoints/${endpoint.id}` : "/developers/webhooks";
}

function toLow(alert: Extract<Alert, { kind: "float_low" }>): Banner {
  const { kind, available, threshold, currency } = alert;
  return {
    kind,
    tone: "calm",
    key: `float-${threshold}`,
    elsewhere: ["/overview", "/float"],
    text: (
      <>
        <span>{`The float has ${formatMoney(available, currency)} available, below your low-balance threshold of ${formatMoney(threshold, currency)}.`}</span>{" "}
        <Go href="/float">Go to float</Go>
      </>
    ),
  };
}

function toDeficit({ kind, deficit, currency }: Extract<Alert, { kind: "float_deficit" }>): Banner {
  return {
    kind,
    tone: "serious",
    key: null,
    elsewhere: ["/overview", "/float"],
    text: (
      <>
        <span>{toDeficitSentence(deficit, currency)}</span> <Go href="/float">Go to float</Go>
      </>
    ),
  };
}

function toFailing(alert: Extract<Alert, { kind: "webhooks_failing" }>): Banner {
  const { since, until, isUrgent, endpoint } = alert;
  return {
    kind: alert.kind,
    about: endpoint?.id ?? "",
    tone: isUrgent ? "serious" : "calm",
    key: isUrgent ? null : `webhooks-${since.getTime()}`,
    elsewhere: [],
    text: (
      <>
        <span>{`Webhook deliveries${toHost(endpoint)} have been failing since`}</span>{" "}
        <ExactTime at={since} />
        <span>.</span>{" "}
        {until === null ? (
          <span>The next failure disables webhooks.</span>
        ) : (
          <span>
            Unless one succeeds, webhooks will be disabled <Time at={until} />, on{" "}
            <ExactTime at={until} />.
          </span>
        )}{" "}
        <Go href={toEndpointHref(endpoint)}>Go to webhooks</Go>
      </>
    ),
  };
}

function Go({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link className="underline underline-offset-4" href={href}>
      {children}
    </Link>
  );
}
