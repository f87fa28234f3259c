import { chmod, mkdir, readdir, readFile, readlink, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type EntryToWrite, writeEntry } from "../../../../../server/cli/client/connect/write-entry.ts";
import { temporaryFolder } from "../../../../helpers/temporary.ts";

const URL = "http://127.0.0.1:3000/agent/1.0.0/runner";
const edit = {
  section: "mcpServers",
  name: "my-agent-runner",
  entry: { url: URL, headers: { Authorization: "Bearer ${env:CAIRN_TOKEN}" } },
  inputs: [],
  isOwn: ({ url }: Readonly<Record<string, unknown>>) => String(url).startsWith("http://127.0.0.1:3000/"),
};

/** A file in a folder of its own, with what writing into it says. */
async function at(text?: string | Buffer, path = "mcp.json") {
  const folder = await temporaryFolder();
  const file = join(folder, path);
  if (text !== undefined) await writeFile(file, text);
  const said: string[] = [];
  const write = (confirm: () => Promise<boolean> = async () => true, format: EntryToWrite["format"] = "json") =>
    writeEntry({ path: file, format, edit }, { out: (line) => said.push(line), confirm });
  const read = () => readFile(file, "utf8");
  return { folder, file, said, write, read };
}

const ADDED = `{
  "mcpServers": {
    "my-agent-runner": {
      "url": "${URL}",
      "headers": {
        "Authorization": "Bearer \${env:CAIRN_TOKEN}"
      }
    }
  }
}
`;

describe("an entry", () => {
  test("is shown line by line, and then written", async () => {
    const { file, said, write, read } = await at('{\n  "a": 1,\n  "mcpServers": {}\n}\n');
    const seen: string[] = [];
    expect(await write(async () => (seen.push(await read()), true))).toBe(true);
    expect(seen).toEqual(['{\n  "a": 1,\n  "mcpServers": {}\n}\n']);
    expect(JSON.parse(await read())).toEqual({ a: 1, ...(JSON.parse(ADDED) as object) });
    expect(said).toEqual([
      `${file}:`,
      "  {",
      '    "a": 1,',
      '-   "mcpServers": {}',
      '+   "mcpServers": {',
      '+     "my-agent-runner": {',
      `+       "url": "${URL}",`,
      '+       "headers": {',
      '+         "Authorization": "Bearer ${env:CAIRN_TOKEN}"',
      "+       }",
      "+     }",
      "+   }",
      "  }",
      `Wrote ${file}.`,
    ]);
  });

  test("makes a missing file with its folders, which only its owner reads", async () => {
    const { file, write, read } = await at(undefined, "a/b/mcp.json");
    expect(await write()).toBe(true);
    expect(await read()).toBe(ADDED);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test("is not written if that is declined", async () => {
    const { folder, said, write } = await at(undefined, "a/mcp.json");
    expect(await write(async () => false)).toBe(false);
    expect([await readdir(folder), said.at(-1)]).toEqual([[], "Nothing was written."]);
  });

  test("that is there already is not asked about", async () => {
    const { file, said, write } = await at(ADDED);
    expect(await write(() => Promise.reject(new Error("asked")))).toBe(true);
    expect(said).toEqual([`${file} has it already.`]);
  });

  test("leaves rights, links, byte order mark and line ends as they are", async () => {
    const { folder, file, write } = await at('\uFEFF{\r\n  "mcpServers": {}\r\n}');
    await chmod(file, 0o640);
    const link = join(folder, "link.json");
    await symlink("mcp.json", link);
    await writeEntry({ path: link, format: "json", edit }, { out: () => {}, confirm: async () => true });
    const text = await readFile(file, "utf8");
    expect([text.startsWith('\uFEFF{\r\n  "mcpServers": {\r\n'), text.endsWith("\r\n}")]).toEqual([true, true]);
    expect(text.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
    expect([(await stat(file)).mode & 0o777, await readlink(link)]).toEqual([0o640, "mcp.json"]);
    expect((await readdir(folder)).toSorted()).toEqual(["link.json", "mcp.json"]);
    await write();
  });

  test("that leads elsewhere is replaced only after that was said", async () => {
    const { said, write, read } = await at(
      '{ "mcpServers": { "my-agent-runner": { "url": "https://other.example/mcp" } } }',
    );
    await write();
    expect(said.at(-2)).toBe(
      "`my-agent-runner` leads to https://other.example/mcp now, which is not this service; it would be replaced.",
    );
    expect(JSON.parse(await read())).toEqual(JSON.parse(ADDED));
  });

  test("shows no secret of others that stands beside it", async () => {
    const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    const other = `"other": { "url": "https://x", "headers": { "Authorization": "Bearer ${secret}" } }`;
    for (const text of [`{\n  "mcpServers": {\n    ${other}\n  }\n}`, `{ "mcpServers": { ${other} } }`]) {
      const { said, write, read } = await at(text);
      await write();
      expect(said.join("\n")).not.toContain(secret);
      expect(await read()).toContain(secret);
    }
  });
});

describe("nothing is written", () => {
  test.each([
    ["json", '{\n  "a": tru\n}', "mcp.json:2:8: it is no JSON (InvalidSymbol). Nothing was written."],
    ["toml", "a = 1\nb = ]\n", "mcp.json:2:5: it is no TOML"],
    ["json", Buffer.from([0x7b, 0x0a, 0x22, 0xff, 0x22]), "mcp.json:2:2: it is no UTF-8. Nothing was written."],
  ] as const)("into what is no %s: the place is named", async (format, text, message) => {
    const { file, write } = await at(text);
    await expect(write(undefined, format)).rejects.toThrow(message);
    expect(await readFile(file)).toEqual(Buffer.from(text));
  });

  test("into a file that is read-only, or no file", async () => {
    const { folder, file, write } = await at("{}");
    await chmod(file, 0o444);
    await expect(write()).rejects.toThrow("mcp.json` is read-only. Nothing was written.");
    expect(await readdir(folder)).toEqual(["mcp.json"]);
    await rm(file);
    await mkdir(file);
    await expect(write()).rejects.toThrow("mcp.json` is no file.");
    await rm(file, { recursive: true });
    await symlink("nowhere", file);
    await expect(write()).rejects.toThrow("mcp.json` is a symbolic link that leads nowhere.");
    await rm(file);
    await writeFile(file, " ".repeat(1024 * 1024 + 1));
    await expect(write()).rejects.toThrow("has 1048577 bytes; 1048576 are the most.");
  });

  test.each([
    ["changed", "{}", '{ "b": 1 }'],
    ["made", undefined, '{ "b": 1 }'],
  ])("into a file that another program %s meanwhile", async (_, before, meanwhile) => {
    const { folder, file, write, read } = await at(before);
    const confirm = async () => {
      await writeFile(file, meanwhile);
      return true;
    };
    await expect(write(confirm)).rejects.toThrow("was changed meanwhile. Nothing was written; try it again.");
    expect([await read(), await readdir(folder)]).toEqual([meanwhile, ["mcp.json"]]);
  });
});
