/** A guide: a file of the repository, served as a page. */
export interface Guide {
  slug: string;
  name: string;
  summary: string;
  /** Within `docs`. */
  file: string;
}

/** The guides, in reading order. README.md lists the same ones. */
export const GUIDES: readonly Guide[] = [
  {
    slug: "quick-start",
    name: "Quick start",
    summary: "A first credit in a minute, a first verified webhook in three.",
    file: "quick-start.md",
  },
  {
    slug: "requests",
    name: "Requests and responses",
    summary: "Credentials, scopes, lists, filters, and entity tags.",
    file: "api.md",
  },
  {
    slug: "create-a-card",
    name: "Create a cardholder and a card",
    summary: "From an empty account to a card with money on it, in five calls.",
    file: "cards.md",
  },
  {
    slug: "money",
    name: "Money and idempotency",
    summary: "Amounts, the float, and how a retry never moves money twice.",
    file: "money.md",
  },
  {
    slug: "dashboard",
    name: "The dashboard",
    summary: "For staff: find, explain, and act, and what each role may do.",
    file: "dashboard.md",
  },
  {
    slug: "close-a-month",
    name: "Close a month",
    summary: "Statements that add up, for your books and on paper.",
    file: "close-a-month.md",
  },
  {
    slug: "freezes",
    name: "Freezes",
    summary: "What a freeze guarantees, what still posts, and how to undo only your own.",
    file: "freezes.md",
  },
  {
    slug: "webhooks",
    name: "Webhooks",
    summary: "Every event, how to verify it, and what happens when you are down.",
    file: "webhooks.md",
  },
  {
    slug: "client",
    name: "The client library",
    summary: "TypeScript types, safe retries, and webhooks on your machine.",
    file: "client.md",
  },
  {
    slug: "go-live",
    name: "Go live",
    summary: "A checklist, what differs, limits, recovery, and files.",
    file: "go-live.md",
  },
  {
    slug: "errors",
    name: "Error codes",
    summary: "Every code, why it is returned, and what to do about it.",
    file: "errors.md",
  },
  {
    slug: "versions",
    name: "Versions and changes",
    summary: "How to select a version, and what may change within one.",
    file: "versions.md",
  },
  {
    slug: "differences",
    name: "Differences explained",
    summary: "Where responses, lists, and paths are inconsistent, and why they stay so.",
    file: "differences.md",
  },
  {
    slug: "testing",
    name: "Testing",
    summary: "Simulate purchases, declines, and captures in the sandbox.",
    file: "testing.md",
  },
];

export function toGuideHref({ slug }: Guide): string {
  return `/docs/${slug}`;
}
