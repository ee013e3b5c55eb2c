/** What one check found, and what to do about it; `action` is null when there is nothing to do. */
export interface Finding {
  status: "ok" | "warning" | "problem" | "skipped";
  detail: string;
  action: string | null;
}

/** A finding with the name of its check. */
export interface NamedFinding extends Finding {
  name: string;
}

export function ok(detail: string): Finding {
  return { status: "ok", detail, action: null };
}

/** Something to look at although the installation works. */
export function warning(detail: string, action: string): Finding {
  return { status: "warning", detail, action };
}

/** Something that keeps the installation, or a part of it, from working. */
export function problem(detail: string, action: string): Finding {
  return { status: "problem", detail, action };
}

/** A check that could not be made. */
export function skipped(reason: string): Finding {
  return { status: "skipped", detail: `Not checked: ${reason}`, action: null };
}

/** The innermost message of an error: a failed statement carries PostgreSQL's own message as its cause. */
export function toSentence(error: unknown): string {
  let message = String(error);
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    ({ message } = at);
  }
  return /[.!?]$/u.test(message) ? message : `${message}.`;
}
