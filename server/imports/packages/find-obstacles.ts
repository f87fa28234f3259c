export type ParseAst = (code: string) => object;

/** A need of a module that no isolate meets. */
export interface Obstacle {
  /** Path of the module, from the folder that npm installed into. */
  readonly module: string;
  readonly needs: string;
  /** True if the package asks first, or is ready for failure: it goes on without. */
  readonly isGuarded?: boolean;
  /** True if it is code made of text, which fails where it is reached and nowhere else. */
  readonly isText?: boolean;
}

interface Node {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** End of the need for code that is made of text. */
export const OF_TEXT = ", which makes code of text";

/** Members of syntax that run only where something allows for it: a package that asks first can do without. */
const GUARDED: ReadonlyMap<string, readonly string[]> = new Map([
  ["TryStatement", ["block"]],
  ["LogicalExpression", ["right"]],
  ["ConditionalExpression", ["consequent", "alternate"]],
  ["IfStatement", ["consequent", "alternate"]],
]);

/** Finds code made of text, and modules loaded at run time. */
export function findObstacles(module: string, code: string, parseAst: ParseAst): readonly Obstacle[] {
  const found = new Map<string, Obstacle>();
  const walk = (value: unknown, isGuarded: boolean): void => {
    if (Array.isArray(value)) return value.forEach((item) => walk(item, isGuarded));
    if (!isNode(value)) return;
    const need = findNeed(value);
    if (need !== undefined && found.get(need.needs)?.isGuarded !== false) {
      found.set(need.needs, { module, ...need, isGuarded: isGuarded && need.isText });
    }
    for (const [key, child] of Object.entries(value)) {
      walk(child, isGuarded || GUARDED.get(value.type)?.includes(key) === true);
    }
  };
  walk(parseAst(code), false);
  return [...found.values()];
}

function findNeed({ type, callee, meta }: Node): { readonly needs: string; readonly isText: boolean } | undefined {
  if (type === "ImportExpression") return { needs: "`import(...)`, which loads code at run time", isText: false };
  if (type === "MetaProperty" && isNode(meta) && meta["name"] === "import")
    return { needs: "`import.meta`", isText: false };
  if ((type !== "CallExpression" && type !== "NewExpression") || !isNode(callee) || callee.type !== "Identifier") {
    return undefined;
  }
  const { name } = callee;
  if (name !== "eval" && name !== "Function") return undefined;
  return { needs: `\`${name}(...)\`${OF_TEXT}`, isText: true };
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
