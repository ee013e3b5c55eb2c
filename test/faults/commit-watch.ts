/** The driver sends the start of each transaction as an unnamed statement. */
const PARSE_BEGIN = "\0begin";

/** The Parse message of COMMIT: the driver prepares it once per connection and then executes it by name. */
const PARSE_COMMIT = /P[\s\S]{4}(?<name>[^\0]+)\0commit\0/u;

/**
 * Recognizes the COMMIT of a transaction that mentioned a text, among all messages of one connection. Other
 * transactions, such as those of background work, commit at any time.
 */
export function watchCommits(): (message: string, mentioned: string) => boolean {
  let name: string | undefined;
  let transaction = "";
  return (message, mentioned) => {
    transaction = message.includes(PARSE_BEGIN) ? message : transaction + message;
    const parsed = PARSE_COMMIT.exec(message)?.groups?.["name"];
    name ??= parsed;
    // Bind names an unnamed portal, then the statement.
    const isCommit =
      parsed !== undefined || (name !== undefined && message.includes(`\0${name}\0`));
    const isMeant = isCommit && transaction.includes(mentioned);
    transaction = isCommit ? "" : transaction;
    return isMeant;
  };
}
