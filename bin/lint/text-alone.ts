/**
 * A browser's translation replaces the page's text nodes with its own elements. React then writes changed text into a
 * detached node that nobody sees, and fails when it inserts or removes something beside it. Where an element's only
 * child is text, React sets the text of the element itself, which works.
 *
 * So text must have its own element if it can change or if a sibling can come and go. The text of a fragment, or of a
 * component that returns only text, may get siblings wherever it is rendered. Names and calls count as text unless the
 * file declares them as elements, by their value or by the type `Elements`.
 */

/** The parts of the syntax tree that the rule reads. */
interface Node {
  type: string;
  loc: { start: Place; end: Place };
  name?: string;
  value?: unknown;
  operator?: string;
  children?: Node[];
  arguments?: Node[];
  body?: Node | readonly Node[] | null;
  expression?: Node;
  argument?: Node | null;
  left?: Node;
  right?: Node;
  consequent?: Node;
  alternate?: Node | null;
  callee?: Node;
  property?: Node;
  id?: Node | null;
  init?: Node | null;
  key?: Node;
  typeAnnotation?: Node | null;
  returnType?: Node | null;
  typeName?: Node;
}

interface Place {
  line: number;
  column: number;
}

interface Context {
  report(problem: { loc: { start: Place; end: Place }; message: string }): void;
}

type Names = ReadonlySet<string | undefined>;

const MESSAGE =
  "Put this text into an element of its own, or make the element's children one template literal: beside a sibling, it breaks under a browser's translation.";

/** `list.map(toItem)` and `Array.from(list, toItem)` return what their last argument returns. */
const MAPPERS: Names = new Set(["map", "from"]);

export const textAlone = {
  meta: { type: "problem" as const },
  create(context: Context) {
    const parents: Node[] = [];
    const returned: { component: Node | undefined; argument: Node }[] = [];
    const functions: Node[] = [];
    const elements = new Set<string | undefined>(["undefined", "createElement"]);
    const keep = (parent: Node) => {
      parents.push(parent);
    };
    const enter = (node: Node) => {
      functions.push(node);
    };
    const leave = () => {
      functions.pop();
    };
    const declare = (name: Node | null | undefined, isOne: boolean) => {
      if (isOne) {
        elements.add(name?.name);
      }
    };
    return {
      JSXElement: keep,
      JSXFragment: keep,
      FunctionDeclaration: (node: Node) => {
        declare(node.id, isElementType(node.returnType));
        enter(node);
      },
      "FunctionDeclaration:exit": leave,
      ArrowFunctionExpression: enter,
      "ArrowFunctionExpression:exit": leave,
      ReturnStatement: ({ argument }: Node) => {
        if (argument) {
          returned.push({ component: functions.at(-1), argument });
        }
      },
      TSPropertySignature: ({ key, typeAnnotation }: Node) =>
        declare(key, isElementType(typeAnnotation)),
      "VariableDeclarator:exit": ({ id, init }: Node) =>
        declare(id, isElementType(id?.typeAnnotation) || isElement(init, elements)),
      "Program:exit": () => {
        const bare = parents.flatMap((parent) => findBareText(parent, elements));
        const roots = returned
          .filter(({ component }) => /^[A-Z]/u.test(component?.id?.name ?? ""))
          .map(({ argument }) => argument)
          .filter((argument) => !isElement(argument, elements));
        for (const { loc } of [...bare, ...roots]) {
          context.report({ loc, message: MESSAGE });
        }
      },
    };
  },
};

/** The text children that have siblings, and that can change or whose siblings can come and go. */
function findBareText({ type, children = [] }: Node, elements: Names): Node[] {
  const shown = children.filter((child) => !isBlank(child));
  const isFragment = type === "JSXFragment";
  if (!isFragment && shown.length <= 1) {
    return [];
  }
  const isEveryOneFixed = !isFragment && shown.every(isFixed);
  return shown.filter((child) =>
    isFixed(child)
      ? child.type !== "JSXElement" && child.type !== "JSXFragment" && !isEveryOneFixed
      : !isElement(child.expression, elements),
  );
}

/** Whether a child renders nothing, or only whitespace, which translations leave alone. */
function isBlank({ type, value, expression }: Node): boolean {
  if (type === "JSXText") {
    return String(value).trim() === "";
  }
  const isSpace = expression?.type === "Literal" && String(expression.value).trim() === "";
  return isSpace || expression?.type === "JSXEmptyExpression";
}

/** Whether a child is always present. */
function isFixed({ type, expression }: Node): boolean {
  return type !== "JSXExpressionContainer" || expression?.type === "Literal";
}

/** The parts of an expression that must all be elements for the expression to be one. */
const PARTS: Readonly<Record<string, (node: Node) => readonly (Node | null | undefined)[]>> = {
  JSXElement: () => [],
  JSXFragment: () => [],
  MemberExpression: ({ property }) => [property],
  ChainExpression: ({ expression }) => [expression],
  LogicalExpression: ({ operator, left, right }) => (operator === "&&" ? [right] : [left, right]),
  ConditionalExpression: ({ consequent, alternate }) => [consequent, alternate],
  CallExpression: ({ callee, arguments: given }) => [
    MAPPERS.has(callee?.property?.name) ? given?.at(-1) : callee,
  ],
  ArrowFunctionExpression: ({ body }) => [toResult(body)],
};

/** Whether a value is an element, several, or nothing, or a function that returns one; never text. */
function isElement(node: Node | null | undefined, elements: Names): boolean {
  if (node?.type === "Identifier") {
    return elements.has(node.name);
  }
  if (node?.type === "Literal") {
    return node.value === null;
  }
  const parts = node && PARTS[node.type]?.(node);
  return parts?.every((part) => isElement(part, elements)) ?? false;
}

/** The expression that a function's last statement returns. */
function toResult(body: Node["body"]): Node | null | undefined {
  const [block] = [body].flat();
  return block?.type === "BlockStatement" ? [block.body].flat().at(-1)?.argument : block;
}

/** Whether a type is `Elements`, or a function that returns it. */
function isElementType(type: Node | null | undefined): boolean {
  const inner = type?.typeAnnotation ?? type?.returnType;
  return inner ? isElementType(inner) : type?.typeName?.name === "Elements";
}
