/** Set by `npm run test:faults -- --long`. */
export const LENGTH = "FAULTS_LENGTH";

/**
 * How often a fault occurs: in the run that every change must pass, and in the long run, which finds rarer failures.
 */
export function times({ short, long }: { short: number; long: number }): number {
  return process.env[LENGTH] === "long" ? long : short;
}
