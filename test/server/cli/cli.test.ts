import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { defineCommand, renderUsage } from "citty";
import { describe, expect, test, vi } from "vitest";
import { runCli } from "../../../server/cli/cli.ts";
import { CLIENTS } from "../../../server/cli/client/connect-clients.ts";
import type { Environment } from "../../../server/config/config.ts";
import { agentFiles } from "../../helpers/agent.ts";
import { runCairn, runInProcess } from "../../helpers/cairn.ts";
import { readTables } from "../../helpers/markdown.ts";
import { createRepository } from "../../helpers/repository.ts";
import { runIn } from "./run-in.ts";

// eslint-disable-next-line no-control-regex
const plain = (text: string) => text.replaceAll(/\u001b\[\d+m/g, "");
/** The parser of arguments decides by the environment of the process whether it makes any. */
const hasColours = (await renderUsage(defineCommand({ meta: { name: "x" } }))).includes("\u001b");
const firstCells = readTables("docs/cli.md").map(([cell = ""]) => cell);

describe("docs/cli.md", () => {
  test("has each command of `cairn --help`, in the same order", async () => {
    const help = plain((await runCairn(["--help"])).stdout);
    const [, listed = ""] = help.split("COMMANDS");
    const commands = [...listed.matchAll(/^ +([a-z]+) {2,}\S/gm)].map(([, name = ""]) => name);
    expect(commands).toContain("stdio");
    const words = firstCells.map((cell) => cell.split(" ")[0] ?? "");
    // A command may have a row for each of its forms.
    expect([...new Set(words.filter((word) => commands.includes(word)))]).toEqual(commands);
  });

  test("has each client of `cairn connect`, in the same order", () => {
    // A later table has the files of those that have one.
    const listed = [...new Set(firstCells.filter((cell) => cell in CLIENTS))];
    expect(listed).toEqual(Object.keys(CLIENTS));
  });
});

describe("the colours of `cairn --help`", () => {
  const help = async (environment: Environment, isTerminal: boolean) => {
    const [code, printed] = await run(["--help"], { environment, isTerminal });
    expect(code).toBe(0);
    return printed;
  };

  test.each<[Environment, boolean, boolean]>([
    [{}, true, true],
    [{}, false, false],
    [{ NO_COLOR: "1" }, true, false],
    [{ NO_COLOR: "" }, true, true],
    [{ FORCE_COLOR: "1" }, false, true],
    [{ FORCE_COLOR: "0" }, true, false],
  ])("with %j, on a terminal: %j, are there: %j", async (environment, isTerminal, expected) => {
    const printed = await help(environment, isTerminal);
    expect(plain(printed)).toContain("COMMANDS");
    // Where continuous integration runs this, the parser of arguments has none to begin with.
    if (!expected || hasColours) expect(printed !== plain(printed)).toBe(expected);
  });

  test("are in no error that goes into a pipe", async () => {
    const { code, stderr } = await runCairn(["validate", "--format", "xml"]);
    expect([code, stderr]).toEqual([
      2,
      "cairn: Invalid value for argument: --format (xml). Expected one of: text, json, github; `cairn validate --help` says more.\n",
    ]);
  });
});

describe("cairn version", () => {
  test.each([["version"], ["--version"], ["-v"]])("%s is the version alone", async (word) => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
    expect(await runCairn([word])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  });
});

describe("cairn --help", () => {
  test.each([
    ["connect", ["--url=<url>", "--client=<claude-desktop|", "--stdio"]],
    ["stdio", ["--url=<url>", "--repo=<repository>", "--data=<folder>"]],
  ])("explains %s", async (command, options) => {
    const { code, stdout } = await runInProcess([command, "--help"]);
    const help = plain(stdout);
    expect([code, help]).toEqual([0, expect.stringContaining(`USAGE cairn ${command} [OPTIONS] <VERSION> <SERVER>`)]);
    for (const option of options) expect(help).toContain(option);
  });

  test.each(["import openapi", "import mcp", "work list", "audit verify", "surface save"])(
    "shows all words of %s",
    async (command) => {
      const { code, stdout } = await runInProcess([...command.split(" "), "--help"]);
      expect([code, plain(stdout)]).toEqual([0, expect.stringContaining(`USAGE cairn ${command} [OPTIONS]`)]);
    },
  );

  test.each(["connect", "stdio"])("says that %s needs a version and a server", async (command) => {
    const { code, stderr } = await runInProcess([command, "latest"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("SERVER")]);
  });
});

describe("an argument that the command has no place for", () => {
  test.each([
    [["validate", "v1.0.0", "v1.0.1"], "`cairn validate` takes one argument, and `v1.0.1` is one too many"],
    [["version", "a", "b"], "`cairn version` takes no arguments, and `a` is one too many"],
    [["bump", ".", "foo"], "`cairn bump` takes one argument, and `foo` is one too many"],
    [["diff", "a", "b", "c", "--check"], "`cairn diff` takes at most 2 arguments, and `c` is one too many"],
    [["feedback", "Set", "the", "title"], "`cairn feedback` takes one argument, and `the` is one too many"],
    [["work", "status", "a", "b"], "`cairn work` takes one argument, and `b` is one too many"],
  ])("is refused by %j", async (argv, message) => {
    expect(await run(argv)).toEqual([2, `cairn: ${message}; text with spaces needs quotes.`]);
  });

  test("is refused by `cairn token list`, which takes no id", async () => {
    expect(await run(["token", "list", "x"])).toEqual([
      2,
      "cairn: `cairn token list` takes no id; `x` is one too many.",
    ]);
  });
});

describe("an empty option of `cairn serve`", () => {
  test.each([
    [["--port", ""], "--port"],
    [["--port="], "--port"],
    [["--host", " "], "--host"],
    [["--data", ""], "--data"],
    [[""], "the repository"],
  ])("is no default: %j", async (options, what) => {
    expect(await run(["serve", ...options])).toEqual([
      2,
      `cairn: The value of ${what} is empty; leave it out to have the default.`,
    ]);
  });
});

async function run(
  argv: readonly string[],
  around: { readonly environment: Environment; readonly isTerminal?: boolean } = { environment: {} },
): Promise<readonly [code: number, printed: string]> {
  const lines: string[] = [];
  const out = (line: string) => void lines.push(line);
  const rest = {
    folder: ".",
    input: () => new PassThrough(),
    now: Date.now,
    stopped: () => new Promise<void>(() => {}),
  };
  const code = await runCli(argv, { ...rest, ...around, out, err: out });
  return [code, lines.join("\n")];
}

/** Children of this process that run. */
const countProcesses = () => process.getActiveResourcesInfo().filter((kind) => kind === "ProcessWrap").length;

// A child that stays keeps the command from ending.
test.each([
  [["bump", "--tools", "--change", "More."], 1],
  [["diff", "v1.0.0", "."], 1],
  [["release"], 1],
  [["surface"], 1],
  [["test"], 1],
  [["validate"], 1],
  [["bump", "--from", "nothing"], 2],
  [["diff", "nothing", "v1.0.0"], 2],
] as const)("%j on a tree that is no valid version leaves no process behind", async (argv, code) => {
  const repository = await createRepository();
  const tools = { hello: { handler: "export default () => ({});\n" } };
  await repository.release("1.0.0", agentFiles({ version: "1.0.0", tools }));
  const history = await readFile(join(repository.path, "versions.yaml"), "utf8");
  await repository.commit({
    "versions.yaml": `${history.replace(/^current: .*$/m, "current: 1.0.2").trimEnd()}\n  1.0.2: { parent: 1.0.1, changes: [More.] }\n`,
  });
  const before = countProcesses();
  const ran = await runIn(repository.path, argv);
  expect(ran.code, ran.printed).toBe(code);
  await vi.waitFor(() => expect(countProcesses()).toBeLessThanOrEqual(before));
});
