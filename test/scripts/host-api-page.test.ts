import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { PAGE, renderHostApiPage } from "../../scripts/host-api-page.ts";
import { DECLARATIONS, GRANTS } from "../../server/capabilities/declarations.ts";

describe(PAGE, () => {
  const page = readFileSync(PAGE, "utf8");

  test("is what `npm run docs:host-api` writes", async () => {
    expect(page).toBe(await renderHostApiPage());
  });

  test("has the declared word, and a section, for every call that leaves the isolate", () => {
    const rows = new Map(
      [...page.matchAll(/^\| \[`ctx\.([\w.]+)`\]\(#\w+\) +\|.*\| +(?:`([a-z.]+)`)? +\|$/gm)].map(
        ([, path = "", word]) => [path, word],
      ),
    );
    const declared = listPaths(DECLARATIONS, []);
    expect(declared.length).toBeGreaterThan(50);
    expect(declared.filter(([path, word]) => !rows.has(path) || rows.get(path) !== word)).toEqual([]);
    expect([...rows.keys()].filter((path) => !page.includes(` \`ctx.${path}\`\n`))).toEqual([]);
    expect(Object.keys(GRANTS).filter((word) => !page.includes(`\n| \`${word}\` `))).toEqual([]);
  });
});

/** Paths below `ctx` of the declarations of a tree, each with the word that it needs. */
function listPaths(tree: object, above: readonly string[]): (readonly [path: string, word: string | undefined])[] {
  return Object.entries(tree).flatMap(([name, node]: [string, Node]) => {
    // A question of a program is answered under another name, and a level of the log is declared once for all.
    if (name === "resume" || name === "log") return [];
    const path = [...above, name];
    return typeof node.name === "string" ? [[path.join("."), node.needs] as const] : listPaths(node, path);
  });
}

interface Node {
  readonly name?: unknown;
  readonly needs?: string;
}
