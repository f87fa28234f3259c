import fc from "fast-check";
import { parse, stringify } from "smol-toml";
import { describe, expect, test } from "vitest";
import { editToml } from "../../../../../server/cli/client/connect/edit-toml.ts";
import type { EntryEdit } from "../../../../../server/cli/client/connect/entry-edit.ts";

const SERVICE = "http://127.0.0.1:3000/agent/";
const EDIT: EntryEdit = {
  section: "mcp_servers",
  name: "my-agent-runner",
  entry: { url: `${SERVICE}1.1.0/runner` },
  inputs: [],
  isOwn: ({ url }) => String(url).startsWith(SERVICE),
};
const TABLE = `[mcp_servers.my-agent-runner]\nurl = "${SERVICE}1.1.0/runner"\n`;

function edit(text: string, change: Partial<EntryEdit> = {}): string {
  const edited = editToml(text, { ...EDIT, ...change });
  if ("problem" in edited) throw new Error(`${edited.problem.offset}: ${edited.problem.message}`);
  return edited.text;
}

describe("a table of TOML", () => {
  test.each([
    ["an empty file", "", TABLE],
    ["a file without a last line end", 'model = "x"', `model = "x"\n\n${TABLE}`],
    ["a file with others", "# Mine.\n[a]\nb = 1 # one\n", `# Mine.\n[a]\nb = 1 # one\n\n${TABLE}`],
    ["a file of another system", "[a]\r\nb = 1\r\n", `[a]\r\nb = 1\r\n\r\n${TABLE.replaceAll("\n", "\r\n")}`],
  ])("is added to %s", (_, before, after) => {
    expect(edit(before)).toBe(after);
  });

  const before = `model = "x"

[mcp_servers."my-agent-runner"] # ours
# Where it is.
url = "${SERVICE}1.0.0/runner" # pinned
startup_timeout_sec = 20
bearer_token_env_var = "CAIRN_TOKEN"
enabled_tools = [
  # [mcp_servers.my-agent-runner]
  "a", "[b]",
]

# The next.
[mcp_servers.my-agent-runner.env]
A = '''
[mcp_servers.other]
'''

[[profiles]]
b = 1979-05-27T07:32:00Z
`;

  test("of an earlier version keeps what is its user's, and changes where it leads", () => {
    const after = before.replace("1.0.0", "1.1.0");
    expect(edit(before)).toBe(after);
    expect(edit(after)).toBe(after);
    const launch = { command: "/opt/node", args: ["a b", 'c"d'] };
    expect(edit(after, { entry: launch })).toBe(
      after
        .replace('bearer_token_env_var = "CAIRN_TOKEN"\n', "")
        .replace(/# Where it is\.\nurl = .*\n/, `command = "/opt/node"\nargs = ["a b", "c\\"d"]\n# Where it is.\n`),
    );
  });

  test("of another service is replaced whole, with the tables below it", () => {
    const after = edit(before.replaceAll(SERVICE, "https://other.example/"));
    expect(parse(after)).toEqual({
      model: "x",
      mcp_servers: { "my-agent-runner": EDIT.entry },
      profiles: parse(before)["profiles"],
    });
    expect(after).toContain("# Where it is.\n");
  });

  test.each([
    ["a = \n", 4, "it is no TOML"],
    ["[a]\nb = 1\nb = 2\n", 10, "it is no TOML"],
    ["mcp_servers = { x = { url = 'a' } }\n", 0, "it cannot be changed without changing other parts of it"],
    ["[mcp_servers]\nmy-agent-runner = { url = 'a' }\n", 0, "not written as a table"],
    ["[mcp_servers]\nmy-agent-runner = 1\n", 0, "must be a table"],
  ])("is not written into %j", (text, offset, message) => {
    expect(editToml(text, EDIT)).toEqual({ problem: { offset, message: expect.stringContaining(message) } });
  });

  test("leaves everything else of a file as it is", () => {
    const value = fc.oneof(fc.string(), fc.boolean(), fc.integer(), fc.array(fc.string()));
    const table = fc.dictionary(fc.string({ minLength: 1 }), value);
    const own = fc.dictionary(fc.constantFrom("url", "command", "startup_timeout_sec", "x"), value);
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.oneof(value, table)),
        fc.dictionary(fc.string(), table),
        fc.option(own, { nil: undefined }),
        fc.constantFrom("\n", "\r\n"),
        fc.boolean(),
        (rest, servers, mine, eol, isOwn) => {
          const { mcp_servers: _, ...others } = rest;
          const all = { ...servers, ...(mine === undefined ? {} : { [EDIT.name]: mine }) };
          const text = stringify({ ...others, mcp_servers: all }).replaceAll("\n", eol);
          const after = edit(text, { isOwn: () => isOwn });
          const { mcp_servers: found, ...kept } = parse(after) as { mcp_servers: Record<string, unknown> };
          expect(kept).toEqual(others);
          const { [EDIT.name]: entry, ...neighbours } = found;
          const { [EDIT.name]: __, ...beside } = all;
          expect(neighbours).toEqual(beside);
          const { command: ___, ...users } = (isOwn ? mine : undefined) ?? {};
          expect(entry).toEqual({ ...users, ...EDIT.entry });
          if (mine === undefined) expect(after.startsWith(text)).toBe(true);
        },
      ),
    );
  });
});
