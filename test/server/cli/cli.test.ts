import { describe, expect, test } from "vitest";
import { CLIENTS } from "../../../server/cli/connect-clients.ts";
import { runCairn } from "../../helpers/cairn.ts";
import { readTables } from "../../helpers/markdown.ts";

// eslint-disable-next-line no-control-regex
const plain = (text: string) => text.replaceAll(/\u001b\[\d+m/g, "");
const firstCells = readTables("docs/cli.md").map(([cell = ""]) => cell);

describe("docs/cli.md", () => {
  test("has each command of `cairn --help`, in the same order", async () => {
    const help = plain((await runCairn(["--help"])).stdout);
    const [, listed = ""] = help.split("COMMANDS");
    const commands = [...listed.matchAll(/^ +([a-z]+) {2,}\S/gm)].map(([, name = ""]) => name);
    expect(commands).toContain("stdio");
    const words = firstCells.map((cell) => cell.split(" ")[0] ?? "");
    expect(words.filter((word) => commands.includes(word))).toEqual(commands);
  });

  test("has each client of `cairn connect`, in the same order", () => {
    expect(firstCells.filter((cell) => cell in CLIENTS)).toEqual(Object.keys(CLIENTS));
  });
});

describe("cairn --help", () => {
  test.each([
    ["connect", ["--url=<url>", "--client=<claude-desktop|", "--stdio"]],
    ["stdio", ["--url=<url>", "--repo=<repository>", "--data=<folder>"]],
  ])("explains %s", async (command, options) => {
    const { code, stdout } = await runCairn([command, "--help"]);
    const help = plain(stdout);
    expect([code, help]).toEqual([0, expect.stringContaining(`USAGE cairn ${command} [OPTIONS] <VERSION> <SERVER>`)]);
    for (const option of options) expect(help).toContain(option);
  });

  test.each(["connect", "stdio"])("says that %s needs a version and a server", async (command) => {
    const { code, stderr } = await runCairn([command, "latest"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("SERVER")]);
  });
});
