"use client";

import { useMemo, useSyncExternalStore } from "react";
import { fetched } from "../client/fetched.tsx";
import { parseOutcomes, readStored, subscribeOutcomes } from "../client/unknown-outcomes.ts";

const OutcomeCheck = fetched(() =>
  import("./outcome-check.tsx").then((loaded) => loaded.OutcomeCheck),
);

const NOTHING = () => "[]";

/** Looks up the outcomes of this person's changes whose responses were lost, one by one. */
export function Outcomes({ person }: { person: string }) {
  const stored = useSyncExternalStore(subscribeOutcomes, readStored, NOTHING);
  const outcome = useMemo(
    () => parseOutcomes(stored).find((each) => each.person === person),
    [stored, person],
  );
  return outcome && <OutcomeCheck key={outcome.key} outcome={outcome} />;
}
