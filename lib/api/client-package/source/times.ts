/** The bundler writes these numbers where they are used, because this module imports nothing. */

export const NEVER = Infinity;

/** A timer takes at most 2³¹ − 1; a longer one would end at once. */
export const TIMER_MAX_MS = 2_000_000_000;

/** Between two attempts: after the first one, and at most. */
export const PAUSE_MIN_MS = 250;
export const PAUSE_MAX_MS = 8_000;

/** How old a webhook may be. */
export const TOLERANCE_S = 300;
