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

/** Runs the cases round after round, so that other work on the machine affects all of them equally. The first round warms up. */
export async function takeTurns(
  cases: readonly Case[],
  durationMs: number,
  turns: Turns,
): Promise<Record<string, Summary>> {
  const { rounds, only } = turns;
  const samples = new Map<string, Sample[]>();
  const wanted = cases.filter(({ name }) => name.includes(only));
  for (let round = 0; round <= rounds; round += 1) {
    turns.say(
      round === 0 ? `Warming up ${wanted.length} cases …` : `Round ${round} of ${rounds} …`,
    );
    for (const each of wanted) {
      const sample = await each.run(round === 0 ? Math.min(WARM_UP_MS, durationMs) : durationMs);
      if (round > 0) {
        samples.set(each.name, [...(samples.get(each.name) ?? []), sample]);
      }
    }
  }
  return Object.fromEntries([...samples].map(([name, taken]) => [name, summarize(taken)]));
}
