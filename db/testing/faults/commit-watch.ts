import { ROLLUP_NAME } from "#lib/overview/rollup.ts";

/** The Parse message of COMMIT: the driver prepares it once per connection and then executes it by name. */
const PARSE_COMMIT = /P[\s\S]{4}(?<name>[^\0]+)\0commit\0/u;

/** Recognizes the COMMITs of one connection. It ignores those of the rollup, which commits at any time. */
export function watchCommits(): (text: string) => boolean {
  let name: string | undefined;
  let isRollup = false;
  return (text) => {
    const parsed = PARSE_COMMIT.exec(text)?.groups?.["name"];
    name ??= parsed;
    isRollup ||= text.includes(ROLLUP_NAME);
    // Bind names an unnamed portal, then the statement.
    const isCommit = parsed !== undefined || (name !== undefined && text.includes(`\0${name}\0`));
    return isCommit && !isRollup;
  };
}
