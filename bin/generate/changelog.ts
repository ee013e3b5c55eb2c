import { toChangelog } from "#lib/api/changelog.ts";

const HEAD = `<!-- Written by npm run generate. -->

# Changelog

Changes by API version. Select a version with the \`Api-Version\` header; without it, a request uses the account's
version.
`;

/** The text of the changelog, taken from the contract. */
export function listChanges(): Record<string, string> {
  return { "CHANGELOG.md": `${HEAD}\n${toChangelog().trim()}\n` };
}
