import { Link } from "../../ui/link.tsx";
import { Fragment } from "react";
import type { ReactNode } from "react";
import { toCodeHref, toLinkHref } from "./links.ts";
import { toInlines } from "./parse.ts";
import type { InlineToken } from "./parse.ts";

const LINK = "underlined-link";

/** The text of a paragraph, a cell, or a heading. */
export function Inline({
  tokens,
  linksCode = true,
}: {
  tokens: readonly InlineToken[];
  /** Whether the code of an operation, an event, or an error links to its page. Not within a link or a heading. */
  linksCode?: boolean;
}) {
  return tokens.map((token, index) => (
    // The text never changes order.
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={index}>{toElement(token, linksCode)}</Fragment>
  ));
}

function toElement(token: InlineToken, linksCode: boolean): ReactNode {
  switch (token.type) {
    case "strong":
      return (
        <strong className="font-semibold">
          <Inline linksCode={linksCode} tokens={toInlines(token.tokens)} />
        </strong>
      );
    case "em":
      return (
        <em>
          <Inline linksCode={linksCode} tokens={toInlines(token.tokens)} />
        </em>
      );
    case "codespan":
      return <Code linksCode={linksCode} text={token.text} />;
    case "link":
      return (
        <DocsLink href={toLinkHref(token.href)}>
          <Inline linksCode={false} tokens={toInlines(token.tokens)} />
        </DocsLink>
      );
    case "br":
      return <br />;
    case "text":
    case "escape":
    default:
      return token.text;
  }
}

function Code({ text, linksCode }: { text: string; linksCode: boolean }) {
  const href = linksCode ? toCodeHref(text) : null;
  const code = (
    <code className="bg-surface-secondary rounded px-1 py-0.5 font-mono text-[0.8125em] wrap-anywhere">
      {text}
    </code>
  );
  return href === null ? code : <DocsLink href={href}>{code}</DocsLink>;
}

function DocsLink({ href, children }: { href: string; children: ReactNode }) {
  return /^(?:https?:|#)/u.test(href) ? (
    <a className={LINK} href={href}>
      {children}
    </a>
  ) : (
    <Link className={LINK} href={href}>
      {children}
    </Link>
  );
}
