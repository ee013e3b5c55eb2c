import {
  ArrowLeftRight,
  BookOpen,
  ChartColumn,
  ContactRound,
  CreditCard,
  History,
  KeyRound,
  LayoutDashboard,
  ListChecks,
  Mail,
  Radio,
  ScrollText,
  SquareTerminal,
  Settings,
  ShieldCheck,
  UserCheck,
  Users,
  Wallet,
  Webhook,
} from "lucide-react";
import type { LucideIcon } from "lucide-react";

/** A place in the dashboard. */
export interface Place {
  href: string;
  name: string;
  icon: LucideIcon;
  /** Other words to find it by. */
  keywords: string;
}

/** All places, in the order of the side bar; the palette finds the same ones. */
export const PLACES: readonly { heading: string | null; places: readonly Place[] }[] = [
  {
    heading: null,
    places: [
      { href: "/overview", name: "Overview", icon: LayoutDashboard, keywords: "home start" },
      {
        href: "/cards",
        name: "Cards",
        icon: CreditCard,
        keywords: "freeze unfreeze list bulk many",
      },
      {
        href: "/cardholders",
        name: "Cardholders",
        icon: ContactRound,
        keywords: "people users holders email archive",
      },
      {
        href: "/transactions",
        name: "Transactions",
        icon: ArrowLeftRight,
        keywords: "purchases payments declines refunds narrative merchant",
      },
      { href: "/float", name: "Float", icon: Wallet, keywords: "balance statement top-up money" },
      {
        href: "/insights",
        name: "Insights",
        icon: ChartColumn,
        keywords: "spending spent categories countries analytics report",
      },
      {
        href: "/approvals",
        name: "Approvals",
        icon: UserCheck,
        keywords: "second person requests waiting approve reject two people",
      },
    ],
  },
  {
    heading: "Developers",
    places: [
      {
        href: "/developers/webhooks",
        name: "Webhooks",
        icon: Webhook,
        keywords: "notifications deliveries resend recover signing secret",
      },
      { href: "/developers/events", name: "Events", icon: Radio, keywords: "what happened body" },
      {
        href: "/developers/api-log",
        name: "API log",
        icon: SquareTerminal,
        keywords: "requests errors health latency bodies send again",
      },
      { href: "/developers/api-keys", name: "API keys", icon: KeyRound, keywords: "token secret" },
      {
        href: "/developers/deprecations",
        name: "Deprecations",
        icon: History,
        keywords: "deprecated versions sunset migrate replacement",
      },
      {
        href: "/developers/scenarios",
        name: "Scenarios",
        icon: ListChecks,
        keywords: "arazzo run test behavior guarantees examples curl steps",
      },
      {
        href: "/docs",
        name: "Documentation",
        icon: BookOpen,
        keywords: "docs guides reference operations openapi quick start help",
      },
    ],
  },
  {
    heading: "Settings",
    places: [
      {
        href: "/settings/account",
        name: "Account",
        icon: Settings,
        keywords: "business address webhook url domain threshold",
      },
      { href: "/settings/staff", name: "Staff", icon: Users, keywords: "people roles invite" },
      {
        href: "/settings/security",
        name: "Security",
        icon: ShieldCheck,
        keywords: "password two-factor second factor 2fa sessions",
      },
      {
        href: "/settings/outbox",
        name: "Outbox",
        icon: Mail,
        keywords: "mail email messages invitations alerts sent",
      },
      {
        href: "/settings/audit-log",
        name: "Audit log",
        icon: ScrollText,
        keywords: "history who changed",
      },
    ],
  },
];

/**
 * The places with a word that begins with the text in their names (all places if there is no text), and others that
 * the text may mean.
 */
export function findPlaces(text: string): { named: readonly Place[]; others: readonly Place[] } {
  const places = PLACES.flatMap((group) => group.places);
  const typed = text.toLowerCase();
  const isNamed = ({ name }: Place) => ` ${name.toLowerCase()}`.includes(` ${typed}`);
  return {
    named: places.filter(isNamed),
    others: places.filter(
      (place) => !isNamed(place) && ` ${place.keywords.toLowerCase()}`.includes(` ${typed}`),
    ),
  };
}
