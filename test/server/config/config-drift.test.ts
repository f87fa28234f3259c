import { describe, expect, test } from "vitest";
import { readConfig } from "../../../server/config/config.ts";

function read(environment: Readonly<Record<string, string>>) {
  const found = readConfig(environment);
  return found.ok ? found.config.drift : found.problems;
}

describe("looks at the sources of imports", () => {
  test("are off unless an interval is set", () => {
    expect(read({})).toBeUndefined();
    expect(read({ CAIRN_DRIFT_TOKENS: "shop=env:TOKEN", TOKEN: "x" })).toBeUndefined();
  });

  test.each([
    ["10m", 600_000],
    ["24h", 86_400_000],
    ["7d", 604_800_000],
  ])("are made every %s", (text, everyMs) => {
    expect(read({ CAIRN_DRIFT_EVERY: text })).toEqual({ everyMs, tokens: new Map() });
  });

  test.each(["9m", "31d", "1", "24 h", "0h", "-1h", "1w"])("refuse the interval %s", (text) => {
    expect(read({ CAIRN_DRIFT_EVERY: text })).toEqual([
      `CAIRN_DRIFT_EVERY is \`${text}\`; it must be a time such as \`24h\`, from \`10m\` to \`30d\``,
    ]);
  });

  test("have tokens by reference, of which no problem shows the value", () => {
    const environment = {
      CAIRN_DRIFT_EVERY: "1h",
      CAIRN_DRIFT_TOKENS: "shop=env:TOKEN, files=file:/run/t",
      TOKEN: "x",
    };
    expect(read(environment)).toMatchObject({
      tokens: new Map<string, object>([
        ["shop", { value: "x" }],
        ["files", { file: "/run/t" }],
      ]),
    });
    expect(read({ CAIRN_DRIFT_TOKENS: "hunter2,shop=hunter2" })).toEqual([
      "entry 1 of CAIRN_DRIFT_TOKENS must be `import=env:VARIABLE` or `import=file:/path`",
      "CAIRN_DRIFT_TOKENS (shop) must be `env:NAME` or `file:/path`: a reference to the secret, not the secret",
    ]);
  });
});
