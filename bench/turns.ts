import type { Case } from "./cases.ts";
import { summarize } from "./measure.ts";
import type { Sample, Summary } from "./measure.ts";

/** How often to measure each case, and which cases. */
export interface Turns {
  rounds: number;
  /** Only the cases whose names contain this text. */
  only: string;
  say(text: string): void;
}

const WARM_UP_MS = 1_000;

/** Cases that are measured at the same time. A run has a sample for each, by its name. */
export interface CaseGroup {
  name: string;
  run(durationMs: number): Promise<Record<string, Sample>>;
}

/** Runs the cases round after round, so that other work on the machine affects all of them equally. The first round warms up. */
export function takeTurns(
  cases: readonly Case[],
  durationMs: number,
  turns: Turns,
): Promise<Record<string, Summary>> {
  const groups = cases.map((each): CaseGroup => ({
    name: each.name,
    run: async (forMs) => ({ [each.name]: await each.run(forMs) }),
  }));
  return takeTurnsInGroups(groups, durationMs, turns);
}

/** The same for groups of cases. `only` selects by the names of the groups. */
export async function takeTurnsInGroups(
  groups: readonly CaseGroup[],
  durationMs: number,
  turns: Turns,
): Promise<Record<string, Summary>> {
  const { rounds, only } = turns;
  const samples = new Map<string, Sample[]>();
  const wanted = groups.filter(({ name }) => name.includes(only));
  for (let round = 0; round <= rounds; round += 1) {
    turns.say(
      round === 0 ? `Warming up ${wanted.length} cases …` : `Round ${round} of ${rounds} …`,
    );
    for (const each of wanted) {
      const taken = await each.run(round === 0 ? Math.min(WARM_UP_MS, durationMs) : durationMs);
      for (const [name, sample] of round === 0 ? [] : Object.entries(taken)) {
        samples.set(name, [...(samples.get(name) ?? []), sample]);
      }
    }
  }
  return Object.fromEntries([...samples].map(([name, taken]) => [name, summarize(taken)]));
}
