import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";

const PAGES = [...globSync("*.md"), ...globSync("docs/*.md")];

interface Link {
  readonly line: number;
  readonly target: string;
}

/** A page without its blocks of code, which keep their lines; those may hold anything that looks like a link. */
function readProse(file: string): string {
  return readFileSync(file, "utf8").replaceAll(/^ *```[^]*?^ *```$/gm, (block) => block.replaceAll(/[^\n]/g, ""));
}

/** Links of a page to files and headings of this repository. */
function readLinks(file: string): Link[] {
  return readProse(file)
    .split("\n")
    .flatMap((text, at) =>
      [...text.replaceAll(/`[^`]*`/g, "").matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => ({
        line: at + 1,
        target,
      })),
    )
    .filter(({ target }) => !/^[a-z]+:/.test(target));
}

/** Anchors of a page's headings, as GitHub makes them. */
function readAnchors(file: string): Set<string> {
  return new Set(
    [...readProse(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
        .replaceAll(/\s/g, "-"),
    ),
  );
}

describe("the documentation", () => {
  test.each(PAGES)("%s links to files and headings that exist", (page) => {
    const broken = readLinks(page).filter(({ target }) => {
      const [path = "", anchor] = target.split("#");
      const file = path === "" ? page : join(dirname(page), path);
      return !existsSync(file) || (anchor !== undefined && !readAnchors(file).has(anchor));
    });
    expect(broken).toEqual([]);
  });

  test("docs/README.md lists every page", () => {
    const listed = new Set(readLinks("docs/README.md").map(({ target }) => target.replace(/#.*/, "")));
    const pages = globSync("*.md", { cwd: "docs" }).filter((page) => page !== "README.md");
    expect(pages.length).toBeGreaterThan(30);
    expect(pages.filter((page) => !listed.has(page))).toEqual([]);
  });
});
