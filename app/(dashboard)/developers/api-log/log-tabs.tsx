import { SegmentedLinks } from "../../../ui/segmented-links.tsx";

const TABS = [
  { name: "Requests", href: "/developers/api-log" },
  { name: "Health", href: "/developers/api-log/health" },
] as const;

/** The two views of the log. */
export function LogTabs({ current }: { current: (typeof TABS)[number]["name"] }) {
  return (
    <SegmentedLinks
      label="View"
      links={TABS.map((tab) => ({ ...tab, isCurrent: tab.name === current }))}
    />
  );
}
