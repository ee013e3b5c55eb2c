import { Fragment } from "react";
import type { Tokens } from "marked";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Inline } from "./inline.tsx";
import { parseMarkdown, toBlocks, toFragment, toInlines } from "./parse.ts";
import type { BlockToken } from "./parse.ts";
import { env } from "#lib/base/env.ts";

/** The base URL in the guides' text; a page shows the server's own. */
const WRITTEN_URL = "http://127.0.0.1:3000";

/** Renders a document of the repository. Runs on the server only. */
export function Markdown({ text }: { text: string }) {
  const tokens = parseMarkdown(text.replaceAll(WRITTEN_URL, env().publicUrl));
  return <Blocks tokens={tokens} />;
}

function Blocks({ tokens }: { tokens: readonly BlockToken[] }) {
  const names = toCodeNames(tokens);
  return tokens.map((token, index) => (
    // The text never changes order.
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={index}>
      {token.type === "code" ? (
        <Code name={names.get(token) ?? ""} token={token} />
      ) : (
        <Block token={token} />
      )}
    </Fragment>
  ));
}

function Block({ token }: { token: Exclude<BlockToken, Tokens.Code> }) {
  switch (token.type) {
    case "heading":
      return <Heading token={token} />;
    case "paragraph":
      return (
        <p className="leading-7">
          <Inline tokens={toInlines(token.tokens)} />
        </p>
      );
    case "text":
      return <Inline tokens={toInlines(token.tokens)} />;
    case "list":
      return <List token={token} />;
    case "table":
      return <Table token={token} />;
    case "space":
    default:
      return null;
  }
}

const HEADINGS = [
  { Tag: "h1", className: "text-3xl font-semibold tracking-tight text-balance" },
  { Tag: "h2", className: "mt-8 scroll-mt-28 text-xl font-semibold tracking-tight" },
  { Tag: "h3", className: "mt-4 scroll-mt-28 font-semibold wrap-anywhere target:text-link" },
] as const;

function Heading({ token }: { token: Tokens.Heading }) {
  const { Tag, className } = HEADINGS[token.depth - 1] ?? HEADINGS[2];
  const id = toFragment(token.text);
  const words = <Inline linksCode={false} tokens={toInlines(token.tokens)} />;
  return (
    <Tag className={className} id={id}>
      {Tag === "h1" ? (
        words
      ) : (
        <a className="hover:underline hover:underline-offset-4" href={`#${id}`}>
          {words}
        </a>
      )}
    </Tag>
  );
}

function List({ token }: { token: Tokens.List }) {
  const items = token.items.map((item, index) => (
    // oxlint-disable-next-line react/no-array-index-key
    <li className="leading-7" key={index}>
      <Blocks tokens={toBlocks(item.tokens)} />
    </li>
  ));
  return token.ordered ? (
    <ol
      className="marker:text-muted flex list-decimal flex-col gap-1.5 ps-10"
      start={Number(token.start)}
    >
      {items}
    </ol>
  ) : (
    <ul className="marker:text-muted flex list-disc flex-col gap-1.5 ps-6">{items}</ul>
  );
}

/** A table that scrolls separately if it is wider than the page. */
function Table({ token }: { token: Tokens.Table }) {
  const label = `Table: ${token.header.map(({ text }) => text).join(", ")}`;
  return (
    <div
      aria-label={label}
      className="border-border focus-visible:outline-focus overflow-x-auto rounded-lg border outline-offset-2"
      role="group"
      // An area that scrolls must be reachable without a mouse.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
    >
      <table className="w-full border-collapse text-start">
        <thead className="bg-surface-secondary text-muted text-xs">
          <tr>
            {token.header.map(({ text, tokens }) => (
              <th className="px-3 py-2 text-start font-medium" key={text} scope="col">
                <Inline tokens={toInlines(tokens)} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-separator bg-surface divide-y">
          {token.rows.map((cells) => (
            <tr key={cells.map(({ text }) => text).join("|")}>
              {cells.map(({ text, tokens }, index) => (
                // oxlint-disable-next-line react/no-array-index-key
                <td className="min-w-32 px-3 py-2 align-top leading-6" key={`${index} ${text}`}>
                  <Inline tokens={toInlines(tokens)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const LANGUAGES: Readonly<Record<string, string>> = {
  sh: "Shell",
  json: "JSON",
  js: "JavaScript",
  ts: "TypeScript",
  python: "Python",
  php: "PHP",
  ruby: "Ruby",
  text: "Output",
  http: "HTTP",
};

function Code({ token, name }: { token: Tokens.Code; name: string }) {
  return <CodeBlock height="whole" label={toLanguage(token)} name={name} text={token.text} />;
}

/** A file is labeled with its name, anything else with its language. */
function toLanguage({ lang = "" }: Tokens.Code): string {
  const [language = "", use = ""] = lang.split(" ", 2);
  return use.includes(".") ? use : (LANGUAGES[language] ?? language);
}

/** Gives each block a unique name: its language, its heading, and its number below that heading. */
function toCodeNames(tokens: readonly BlockToken[]): ReadonlyMap<BlockToken, string> {
  const names = new Map<BlockToken, string>();
  let heading = "";
  let count = 0;
  for (const token of tokens) {
    if (token.type === "heading") {
      heading = token.text;
      count = 0;
    } else if (token.type === "code") {
      count += 1;
      names.set(token, `${toLanguage(token)}: ${heading}${count > 1 ? `, ${count}` : ""}`);
    }
  }
  return names;
}
