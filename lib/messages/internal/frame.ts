import type { Written } from "#lib/messages/internal/message.ts";

/** A message as it is sent. */
export interface Framed {
  subject: string;
  text: string;
  html: string;
  action: { label: string; url: string };
}

/**
 * A message as plain text, and as a small HTML document without images or anything else to load. Its colors follow the
 * reader's theme.
 */
export function toFramed({ subject, lines, action }: Written, publicUrl: string): Framed {
  const url = `${publicUrl}${action.path}`;
  const { host } = new URL(publicUrl);
  const settings = `${publicUrl}${SETTINGS_PATH}`;
  return {
    subject,
    action: { label: action.label, url },
    text: [
      ...lines,
      `${action.label}:\n${url}`,
      `-- \nFloatdeck at ${host}. Choose what you are told by mail:\n${settings}`,
    ].join("\n\n"),
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escape(subject)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${lines.map((line) => `<p>${escape(line)}</p>`).join("\n")}
<p><a class="button" href="${escape(url)}">${escape(action.label)}</a></p>
<p class="small">If the button doesn't work, open this address:<br><a href="${escape(url)}">${escape(url)}</a></p>
</main>
<footer class="small">Floatdeck at ${escape(host)} · <a href="${escape(settings)}">Choose what you are told by mail</a></footer>
</body>
</html>
`,
  };
}

/** Where a person chooses what they are told. */
const SETTINGS_PATH = "/settings/outbox";

const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; padding: 24px 16px; background: #f4f4f5; color: #18181b; font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 560px; margin: 0 auto; padding: 8px 24px; background: #fff; border: 1px solid #e4e4e7; border-radius: 12px; }
footer { max-width: 560px; margin: 16px auto 0; padding: 0 24px; }
a { color: #1d4ed8; }
.button { display: inline-block; padding: 10px 18px; border-radius: 8px; background: #1d4ed8; color: #fff; font-weight: 600; text-decoration: none; }
.small { color: #52525b; font-size: 13px; }
@media (prefers-color-scheme: dark) {
  body { background: #18181b; color: #fafafa; }
  main { background: #27272a; border-color: #3f3f46; }
  a { color: #93c5fd; }
  .button { background: #93c5fd; color: #18181b; }
  .small { color: #a1a1aa; }
}
`;

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/gu, (character) => ESCAPES[character] ?? character);
}
