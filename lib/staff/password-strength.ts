import type { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { DomainError } from "#lib/base/errors.ts";

/** The estimator's best score: 10^10 guesses or more. Below it, a name and a few more characters would pass. */
const SCORE_MIN = 4;

/** Longer passwords are estimated by their start, so that no password occupies the process for long. */
const ESTIMATED_MAX = 32;
const L33T_MAX = 5;

/** Shorter parts of names occur in most passwords by chance. */
const WORD_MIN = 3;
const PRODUCT = "floatdeck";

/** Loaded only when the first new password is checked, because the list of common passwords takes 10 MB. */
let loaded: Promise<ZxcvbnFactory> | undefined;

async function load(): Promise<ZxcvbnFactory> {
  const [core, common] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
  ]);
  return new core.ZxcvbnFactory({
    dictionary: common.dictionary,
    graphs: common.adjacencyGraphs,
    maxLength: ESTIMATED_MAX,
    l33tMaxSubstitutions: L33T_MAX,
  });
}

/**
 * Refuses a new password that is easy to guess: a common one, a pattern, or one that resembles what others know about
 * the person.
 * @param about the person's names and email, and the name of their business.
 * @param member the request's member that holds the password.
 * @throws DomainError `validation_failed` on the member.
 */
export async function refuseWeakPassword(
  password: string,
  about: readonly string[],
  member: string,
): Promise<void> {
  loaded ??= load();
  const estimator = await loaded;
  const words = toWords(about);
  if (estimator.check(password, words).score < SCORE_MIN) {
    throw refuse(
      member,
      "This password is too easy to guess. Choose another, such as four random words.",
    );
  }
  if (estimator.check(withoutWords(password, words)).score < SCORE_MIN) {
    throw refuse(
      member,
      "Apart from your name, your email, your business, and ours, this password is too easy to guess. Choose another.",
    );
  }
}

/** The words that others know, longest first: each text as a whole, without spaces and punctuation, and its parts. */
function toWords(about: readonly string[]): string[] {
  const texts = [...about, PRODUCT].map((text) => text.toLowerCase());
  const words = texts.flatMap((text) => {
    const parts = text.split(/[^\p{L}\p{N}]+/u);
    return [text, parts.join(""), ...parts];
  });
  return [...new Set(words)]
    .filter((word) => word.length >= WORD_MIN)
    .toSorted((a, b) => b.length - a.length);
}

/** Each word counts as one character: an attacker tries it in one guess. */
function withoutWords(password: string, words: readonly string[]): string {
  return words.reduce(
    (text, word) => text.replaceAll(word, word.charAt(0)),
    password.toLowerCase(),
  );
}

function refuse(member: string, sentence: string): DomainError {
  return new DomainError("validation_failed", sentence, { [member]: [sentence] });
}
