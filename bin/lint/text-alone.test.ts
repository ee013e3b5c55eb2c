import { RuleTester } from "oxlint/plugins-dev";
import { describe, test } from "vitest";
import { textAlone } from "./text-alone.ts";

RuleTester.describe = describe;
RuleTester.it = test;

// It names only the parts of the tree that it reads: the type of the whole tree is not exported.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const rule = textAlone as unknown as Parameters<RuleTester["run"]>[1];

const IN_JSX = { languageOptions: { parserOptions: { lang: "tsx" as const } } };
const valid = (code: string) => ({ code, ...IN_JSX });
const invalid = (code: string, errors = 1) => ({ code, errors, ...IN_JSX });

new RuleTester().run("text stands alone where it can change, or where its siblings can go", rule, {
  valid: [
    valid("const x = <p>{name}</p>;"),
    valid("const x = <p>{`Frozen by ${name}`}</p>;"),
    valid("const x = <p><Icon /> Search</p>;"),
    valid("function toWord(isOn) { return isOn ? on : off; }"),
    valid("function List() { const all = rows.map(() => { return word; }); return <p>{all}</p>; }"),
    valid("const x = <p><Icon /><span>{word}</span></p>;"),
    valid('const x = <p><b>a</b>{" "}{isNew && <i>new</i>}</p>;'),
    valid("const x = <p>{isNew ? <i>new</i> : null}<b>a</b></p>;"),
    valid("const x = <ul>{rows.map(({ id }) => <li key={id} />)}{rest && <li />}</ul>;"),
    valid("function X({ action }: { action?: Elements }) { return <p><b>a</b>{action}</p>; }"),
    valid("function toRow(): Elements { return null; } const x = <p>{toRow()}<b>a</b></p>;"),
  ],
  invalid: [
    invalid("const x = <span><Icon />{word}</span>;"),
    invalid("const x = <p>Frozen by {name}</p>;", 2),
    invalid('const x = <p><b>a</b>{isFrozen ? "Frozen" : "Active"}</p>;'),
    invalid("const x = <p>{isPending && <Spinner />} Freeze</p>;"),
    invalid("const x = <p>{isOn ? <>on since <b>a</b></> : <i>off</i>}</p>;"),
    invalid("const x = <>{word}</>;"),
    invalid("function Word({ isOn }) { return isOn ? word : <b>Off</b>; }"),
    invalid(
      "function X({ children }: { children: ReactNode }) { return <p><b>a</b>{children}</p>; }",
    ),
    invalid("const x = <p>{first} of {last}</p>;", 3),
    invalid("const x = <ul>{rows.map(({ id }) => id)}<li /></ul>;"),
  ],
});
