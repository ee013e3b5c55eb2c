/** How long a request may wait for an event, in seconds: shorter than the time-outs of common proxies. */
export const EVENT_WAIT_MAX_S = 20;

/** How many requests of one integrator may wait at the same time. */
export const WAITERS_PER_INTEGRATOR_MAX = 10;

/** How many requests may wait in one process at the same time. */
export const WAITERS_MAX = 200;
