import { CircleCheck, CircleSlash, RotateCw, TriangleAlert } from "lucide-react";
import { StateLabel } from "./state-label.tsx";
import type { Endpoint } from "#lib/webhooks/endpoints.ts";

const LOOKS = {
  on: { icon: CircleCheck, word: "Enabled", look: "text-active" },
  failing: { icon: RotateCw, word: "Failing", look: "text-pending" },
  off: { icon: CircleSlash, word: "Not set up", look: "text-muted" },
  switched_off: { icon: TriangleAlert, word: "Disabled", look: "text-declined" },
} as const;

/** Whether notifications are sent and arrive, as an icon, a word, and a color. */
export function EndpointStateLabel({
  endpoint,
}: {
  endpoint: Pick<Endpoint, "state" | "failingSince">;
}) {
  const { state, failingSince } = endpoint;
  const { icon: Icon, word, look } = LOOKS[state === "on" && failingSince ? "failing" : state];
  return <StateLabel icon={<Icon aria-hidden className="size-3.5" />} look={look} word={word} />;
}
