import fc from "fast-check";
import { parse } from "jsonc-parser";
import { describe, expect, test } from "vitest";
import { editJson } from "../../../../../server/cli/client/connect/edit-json.ts";
import type { EntryEdit } from "../../../../../server/cli/client/connect/entry-edit.ts";

const SERVICE = "http://127.0.0.1:3000/agent/";
const EDIT: EntryEdit = {
  section: "mcpServers",
  name: "my-agent-runner",
  entry: { url: `${SERVICE}1.1.0/runner` },
  inputs: [],
  isOwn: ({ url }) => String(url).startsWith(SERVICE),
};

function edit(text: string, change: Partial<EntryEdit> = {}): string {
  const edited = editJson(text, { ...EDIT, ...change });
  if ("problem" in edited) throw new Error(`${edited.problem.offset}: ${edited.problem.message}`);
  return edited.text;
}

const lines = (...all: string[]) => all.join("\n");

test("headers that users gave an entry stay beside ours, and without any of ours", () => {
  const text = JSON.stringify({
    mcpServers: {
      "my-agent-runner": { url: `${SERVICE}1.0.0/runner`, headers: { "X-Team": "blue", Authorization: "Bearer mine" } },
    },
  });
  const read = (after: string) =>
    (parse(after) as { mcpServers: Record<string, unknown> }).mcpServers["my-agent-runner"];
  const entry = { ...EDIT.entry, headers: { Authorization: "Bearer ${env:CAIRN_TOKEN}" } };
  expect(read(edit(text))).toEqual({ ...EDIT.entry, headers: { "X-Team": "blue", Authorization: "Bearer mine" } });
  expect(read(edit(text, { entry }))).toEqual({ ...EDIT.entry, headers: { "X-Team": "blue", ...entry.headers } });
  expect(read(edit(text, { entry: { command: "cairn" } }))).toEqual({ command: "cairn" });
});

describe("an entry of JSON", () => {
  test.each([
    [
      "an empty file",
      "",
      [
        "{",
        '  "mcpServers": {',
        '    "my-agent-runner": {',
        `      "url": "${SERVICE}1.1.0/runner"`,
        "    }",
        "  }",
        "}",
        "",
      ],
    ],
    [
      "comments alone",
      "// Mine.\n",
      [
        "// Mine.",
        "{",
        '  "mcpServers": {',
        '    "my-agent-runner": {',
        `      "url": "${SERVICE}1.1.0/runner"`,
        "    }",
        "  }",
        "}",
        "",
      ],
    ],
    [
      "an empty object",
      "{}\n",
      [
        "{",
        '  "mcpServers": {',
        '    "my-agent-runner": {',
        `      "url": "${SERVICE}1.1.0/runner"`,
        "    }",
        "  }",
        "}",
        "",
      ],
    ],
  ])("is written into %s", (_, before, after) => {
    expect(edit(before)).toBe(lines(...after));
  });

  test("comes last, and every comment stays beside what it is about", () => {
    const before = lines(
      "// All of them.",
      "{",
      '\t"theme": "dark", // as I like it',
      '\t"mcpServers": {',
      "\t\t// The first.",
      '\t\t"one": { "command": "one", "args": [] }, // one, "mcpServers": {',
      "\t\t/* the last */",
      "\t},",
      "} // end",
    );
    expect(edit(before)).toBe(
      lines(
        "// All of them.",
        "{",
        '\t"theme": "dark", // as I like it',
        '\t"mcpServers": {',
        "\t\t// The first.",
        '\t\t"one": { "command": "one", "args": [] }, // one, "mcpServers": {',
        "\t\t/* the last */",
        '\t\t"my-agent-runner": {',
        `\t\t\t"url": "${SERVICE}1.1.0/runner"`,
        "\t\t},",
        "\t},",
        "} // end",
      ),
    );
  });

  test("follows a member whose comment has no comma before it", () => {
    expect(edit('{\n  "mcpServers": {\n    "a": { "url": "x" } // a\n  }\n}\n')).toBe(
      `{\n  "mcpServers": {\n    "a": { "url": "x" }, // a\n    "my-agent-runner": {\n      "url": "${SERVICE}1.1.0/runner"\n    }\n  }\n}\n`,
    );
  });

  test("stays on the one line of a file that has one", () => {
    expect(edit('{"mcpServers":{"a":{"url":"x"}}}')).toBe(
      `{"mcpServers":{"a":{"url":"x"}, "my-agent-runner": {"url":"${SERVICE}1.1.0/runner"}}}`,
    );
  });

  test("has the line ends of the file", () => {
    const after = edit('{\r\n  "mcpServers": {\r\n    "a": {}\r\n  }\r\n}\r\n');
    expect(after.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
    expect(after).toContain('    "a": {},\r\n    "my-agent-runner": {\r\n');
  });

  const OWN = lines(
    "{",
    '  "mcpServers": {',
    '    "my-agent-runner": {',
    '      "disabled": false, // for now',
    `      "url": "${SERVICE}1.0.0/runner", // pinned`,
    '      "headers": { "Authorization": "Bearer ${env:CAIRN_TOKEN}" }',
    "    }",
    "  }",
    "}",
  );

  test("of an earlier version keeps what is its user's, and changes where it leads", () => {
    const after = edit(OWN);
    expect(parse(after)).toEqual({
      mcpServers: {
        "my-agent-runner": {
          disabled: false,
          url: `${SERVICE}1.1.0/runner`,
          headers: { Authorization: "Bearer ${env:CAIRN_TOKEN}" },
        },
      },
    });
    expect(after).toContain('      "disabled": false, // for now\n');
    expect(after).toContain(`      "url": "${SERVICE}1.1.0/runner"`);
  });

  test("of another service is replaced whole, so that nothing of it goes to this one", () => {
    const elsewhere = OWN.replaceAll(SERVICE, "https://other.example/");
    expect(parse(edit(elsewhere))).toEqual({ mcpServers: { "my-agent-runner": EDIT.entry } });
  });

  test("leaves a member `__proto__` alone", () => {
    expect(edit('{ "__proto__": { "a": 1 }, "mcpServers": {} }')).toContain(
      '{ "__proto__": { "a": 1 }, "mcpServers": {',
    );
  });

  test("that is there already changes nothing", () => {
    const text = edit(OWN);
    expect(edit(text)).toBe(text);
  });

  test("brings its question once", () => {
    const input = { id: "cairn-token", type: "promptString" };
    const first = edit('{\n  "servers": {}\n}\n', { section: "servers", inputs: [input] });
    expect(parse(first)).toEqual({ servers: { "my-agent-runner": EDIT.entry }, inputs: [input] });
    const other = { ...EDIT, section: "servers", name: "b", inputs: [input] };
    expect(parse(edit(first, other))).toMatchObject({ inputs: [input] });
    const asked = '{ "inputs": [ { "id": "mine" } ], "servers": {} }';
    expect(parse(edit(asked, other))).toMatchObject({ inputs: [{ id: "mine" }, input] });
  });

  test.each([
    ['{"mcpServers": {}', 17, "CloseBraceExpected"],
    ['{\n  "a": ,\n}', 9, "ValueExpected"],
    ["[]", 0, "it must be an object"],
    ['{ "mcpServers": [] }', 16, "`mcpServers` must be an object"],
    ['{ "mcpServers": { "my-agent-runner": 1 } }', 37, "`mcpServers.my-agent-runner` must be an object"],
    ['{ "mcpServers": {}, "mcpServers": {} }', 20, "this member stands there twice"],
    ["// a\n/*", 5, "it is no JSON"],
  ])("is not written into %j", (text, offset, message) => {
    expect(editJson(text, EDIT)).toEqual({ problem: { offset, message: expect.stringContaining(message) } });
  });
});

/** JSON as people write it: each token with blanks, line ends and comments around it. */
const gap = fc.constantFrom("", "", " ", "\n", "\r\n\t", " // c } , {\n", '/* d " */', "\n  ");

function write(value: unknown, gaps: () => string, trailing: boolean): string {
  const wrap = (members: string[], open: string, close: string) =>
    open + members.join(",") + (trailing && members.length > 0 ? `${gaps()},` : "") + gaps() + close;
  if (Array.isArray(value))
    return wrap(
      value.map((item) => gaps() + write(item, gaps, trailing) + gaps()),
      "[",
      "]",
    );
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, item]) => `${gaps()}${JSON.stringify(key)}${gaps()}:${gaps()}${write(item, gaps, trailing)}${gaps()}`,
  );
  return wrap(members, "{", "}");
}

const key = fc
  .oneof(fc.constantFrom("a", "inputs2", "my-agent-runner", "constructor"), fc.string())
  .filter((text) => text !== "__proto__");
const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
const servers = fc.dictionary(key, fc.dictionary(fc.constantFrom("url", "command", "env", "x"), json));

test("everything else of the file stays, in every layout", () => {
  fc.assert(
    fc.property(
      fc.dictionary(key, json),
      fc.option(servers, { nil: undefined }),
      fc.infiniteStream(gap),
      fc.boolean(),
      fc.boolean(),
      (rest, section, stream, trailing, isOwn) => {
        const { mcpServers: _, ...others } = rest;
        const value = { ...others, ...(section === undefined ? {} : { mcpServers: section }) };
        const text = write(value, () => stream.next().value ?? "", trailing);
        const change = { isOwn: () => isOwn };
        const after = edit(text, change);
        const earlier = section?.[EDIT.name];
        const { command: _command, ...kept } = (isOwn ? earlier : undefined) ?? {};
        expect(parse(after, [], { allowTrailingComma: true })).toEqual({
          ...value,
          mcpServers: { ...section, [EDIT.name]: { ...kept, ...EDIT.entry } },
        });
        // Where nothing is replaced, each character stays, in its order.
        if (earlier === undefined) expect(isWithin(text, after)).toBe(true);
        expect(edit(after, change)).toBe(after);
      },
    ),
  );
});

/** Checks that the first text is the second without some of its characters; blanks before an end may go. */
function isWithin(text: string, after: string): boolean {
  let at = 0;
  for (const char of text.replaceAll(/\s/g, "")) {
    at = after.indexOf(char, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
