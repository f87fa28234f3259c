import { readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BUMP_RULES } from "../../server/semver/bump-rules.ts";
import { readTables } from "../helpers/markdown.ts";
import { openRepository, type TestRepository } from "../helpers/repository.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";
import { runIn } from "../server/cli/run-in.ts";

const FILE = "docs/semver.md";

interface Stop {
  readonly title: string;
  readonly patch: string;
  readonly commands: readonly { readonly line: string; readonly printed: string }[];
}

const [, tour = ""] = readFileSync(FILE, "utf8").split("\n## A tour\n");
const stops = tour
  .split("\n### ")
  .slice(1)
  .map((section): Stop => {
    const blocks = (language: string) =>
      [...section.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "gs"))].map(([, text = ""]) => text);
    const commands = blocks("console").map((text) => {
      const [line = "", ...printed] = text.trimEnd().split("\n");
      return { line: line.replace(/^\$ /, ""), printed: printed.join("\n") };
    });
    return { title: section.split("\n", 1).join(""), patch: blocks("diff").join(""), commands };
  });

test("docs/semver.md has the rules of the code", () => {
  const rows = readTables(FILE).filter(([rule = ""]) => rule in BUMP_RULES);
  expect(rows).toEqual(Object.entries(BUMP_RULES).map(([rule, { level, why }]) => [rule, level, why]));
});

describe("[D3] [D2] the tour of docs/semver.md", () => {
  let repository: TestRepository;

  const shared = createShared();
  afterAll(shared.undoAll);
  beforeAll(async () => {
    const folder = await temporaryFolder(shared.atEnd);
    await runIn(folder, ["init", "agent"]);
    repository = openRepository(join(folder, "agent"));
    const history = join(repository.path, "versions.yaml");
    await writeFile(history, (await readFile(history, "utf8")).replaceAll("0.1.0", "1.0.0"));
    await repository.commit({});
    await repository.tag("v1.0.0");
  });

  test("stops at every kind of bump", () => {
    const levels = stops.flatMap(({ commands }) => [
      ...(commands[0]?.printed ?? "").matchAll(/: (patch|minor|major): /g),
    ]);
    expect(new Set(levels.map(([, level]) => level))).toEqual(new Set(["patch", "minor", "major"]));
  });

  test.each(stops)("$title", async ({ patch, commands }) => {
    await repository.git("reset", "--quiet", "--hard");
    await repository.git("clean", "--quiet", "--force", "-d");
    const file = join(await temporaryFolder(), "change.patch");
    await writeFile(file, patch);
    await repository.git("apply", file);
    for (const { line, printed } of commands) {
      const [command, ...words] = line.split(" ");
      const said =
        command === "cat"
          ? (await readFile(join(repository.path, words.join(" ")), "utf8")).trimEnd()
          : (await runIn(repository.path, words)).printed;
      expect(said).toBe(printed);
    }
  });
});
