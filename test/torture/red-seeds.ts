/** A run of torture that broke a guarantee, as it is repeated. */
export interface RedSeed {
  seed: number;
  /** Seconds until what it found had happened. */
  seconds: number;
  /** What it found. */
  found: string;
}

/** The runs that found a mistake. The fault tests repeat each of them for good; none has been found by CI so far. */
export const RED_SEEDS: readonly RedSeed[] = [];
