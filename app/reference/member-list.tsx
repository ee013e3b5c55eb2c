import type { Member } from "./members.ts";

/** Parameters or members, each with its type, its meaning, and its own members. */
export function MemberList({
  members,
  marks = "required",
}: {
  members: readonly Member[];
  /** An answer always has all of its members, so nothing is marked. */
  marks?: "required" | "nothing";
}) {
  return (
    <ul className="border-border divide-separator bg-surface divide-y rounded-lg border">
      {members.map((member) => (
        <li className="flex flex-col gap-1 px-4 py-3" key={member.name}>
          <p className="flex flex-wrap items-baseline gap-x-2">
            <code className="font-mono text-xs/5 font-semibold wrap-anywhere">{member.name}</code>
            <span className="text-muted text-xs">{member.type}</span>
            {marks === "required" && member.isRequired && (
              <span className="text-pending text-xs font-medium">required</span>
            )}
          </p>
          {member.description && (
            <p className="text-muted leading-6 wrap-break-word">{member.description}</p>
          )}
          {member.values.length > 0 && <Values values={member.values} />}
          {member.fallback !== null && (
            <p className="text-muted text-xs/5">
              Default: <code className="font-mono">{member.fallback}</code>
            </p>
          )}
          {member.members.length > 0 && (
            <details>
              <summary className="text-link focus-visible:outline-focus w-fit cursor-pointer rounded text-xs/6 outline-offset-2">{`Members of ${member.name}`}</summary>
              <div className="pt-2">
                <MemberList marks={marks} members={member.members} />
              </div>
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}

function Values({ values }: { values: readonly string[] }) {
  return (
    <p className="text-muted flex flex-wrap items-baseline gap-1.5 text-xs/5">
      <span>One of</span>
      {values.map((value) => (
        <code className="bg-surface-secondary rounded px-1 font-mono" key={value}>
          {value}
        </code>
      ))}
    </p>
  );
}
