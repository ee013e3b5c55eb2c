import { ROLLUP_NAME } from "#lib/overview/rollup.ts";

/** Parse, of the whole statement: the driver prepares it once a connection and then calls it by its name. */
const PARSE_COMMIT = /P[\s\S]{4}(?<name>[^\0]+)\0commit\0/u;

/** Recognizes the COMMITs of one connection. Those of the rollup come at any time, and no test decides their fate. */
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
