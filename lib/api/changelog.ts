import { UNVERSIONED_CHANGES, VERSION_CHANGES } from "#lib/api/contract/changes.ts";
import type { Deprecation, Operation } from "#lib/operations/operation.ts";
import { OPERATIONS } from "#lib/operations/operations.ts";
import { API_VERSIONS } from "#lib/base/api-versions.ts";
import type { ApiVersion } from "#lib/base/api-versions.ts";

const all: readonly Operation[] = OPERATIONS;

/** What changed, by version, newest first, as sections of a Markdown document. Derived only from the contract. */
export function toChangelog(): string {
  const versions = API_VERSIONS.toReversed().map((version) =>
    toSection(version, {
      Added: [...addedIn(version).map(toAddition), ...VERSION_CHANGES[version].added],
      Changed: VERSION_CHANGES[version].changed,
      Deprecated: deprecatedIn(version),
    }),
  );
  const { added, changed } = UNVERSIONED_CHANGES;
  return [toSection("Every version", { Added: added, Changed: changed }), ...versions].join("\n");
}

function toSection(title: string, parts: Readonly<Record<string, readonly string[]>>): string {
  const shown = Object.entries(parts).filter(([, sentences]) => sentences.length > 0);
  return [`## ${title}\n`, ...shown.map(([name, sentences]) => toList(name, sentences))].join("\n");
}

function toList(name: string, sentences: readonly string[]): string {
  return `${name}\n\n${sentences.map((sentence) => `- ${sentence}\n`).join("")}`;
}

function addedIn(version: ApiVersion): readonly Operation[] {
  return all.filter(({ since }) => since === version);
}

function toAddition({ method, path, sandboxOnly }: Operation): string {
  return `\`${method} ${path}\`${sandboxOnly ? ", sandbox only" : ""}.`;
}

function deprecatedIn(version: ApiVersion): string[] {
  return all.flatMap((operation) =>
    operation.deprecation?.since === version
      ? [toDeprecation(operation, operation.deprecation)]
      : [],
  );
}

function toDeprecation({ method, path }: Operation, { sunset, successor }: Deprecation): string {
  const fate = sunset
    ? `It stops working on ${sunset.toISOString().slice(0, "2026-01-01".length)}`
    : "It keeps working";
  return `\`${method} ${path}\`. ${fate}; use \`${method} ${successor}\`.`;
}
