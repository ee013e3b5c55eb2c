/** How far a notification's timestamp may be from the time at which it arrives, in seconds. */
export const TOLERANCE_S = 300;

/** Why a signature is not verified, with an explanation. */
export const SIGNATURE_FAULTS = {
  header_missing: "One of webhook-id, webhook-timestamp, and webhook-signature is missing.",
  timestamp_malformed: "The webhook-timestamp is not a number of seconds since 1970.",
  timestamp_too_old: `The webhook-timestamp was more than ${TOLERANCE_S} seconds old on arrival.`,
  timestamp_too_new: `The webhook-timestamp was more than ${TOLERANCE_S} seconds in the future on arrival.`,
  signature_mismatch:
    "No signature matches the signing secret. Another secret signed, or the body changed on its way.",
} as const;

export type SignatureFault = keyof typeof SIGNATURE_FAULTS;

/** The explanation of a fault; null when there was none. */
export function explainFault(fault: string | null): string | null {
  return Object.entries(SIGNATURE_FAULTS).find(([each]) => each === fault)?.[1] ?? null;
}
