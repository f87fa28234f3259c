import { expect, test } from "vitest";
import { changeTree, edit } from "../../../fixtures/trees/good-tree.ts";
import { createRepository } from "../../../helpers/repository.ts";
import { runIn } from "../run-in.ts";

test("[D2] `cairn validate` refuses a tree with text that only models see, though such a tag is served", async () => {
  const { path, commit } = await createRepository();
  const description = edit("the weather at", "the weather\u{e0041} at");
  await commit(changeTree({ "manifests/runner/get_weather.yaml": description }) as Record<string, string>);
  const { code, printed } = await runIn(path, ["validate"]);
  expect(code).toBe(1);
  expect(printed).toBe(`manifests/runner/get_weather.yaml:4:35: U+E0041 stands here, which nobody sees. (hidden-text)
    Remove it; where data needs it, write it as \`\\U000e0041\` in double quotes.

1 problem in this folder.`);
  expect(await runIn(path, ["validate", "main", "--format", "json"])).toMatchObject({ code: 1 });
  expect(await runIn(path, ["diff", "main", "main"])).toMatchObject({ code: 0 });
});

test("[D2][D12] `cairn validate` finds credentials in every file of a version, shows none, and takes a marked one for none", async () => {
  const { path, commit } = await createRepository();
  const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
  const key = "AKIAQ3EGRIKZ5XTLMNOP";
  const secret = "q7Rt2Lm9Xp4Zs8Vb1Nc6";
  await commit(
    changeTree({
      "manifests/runner/get_weather.yaml": edit("the weather at", `the weather with ${token} at`),
      "tools/runner/chat.ts": (text: string) => `// ${key}\n${text}\nexport const apiKey = "${secret}";\n`,
      "tools/_lib/marked.ts": `// not-a-secret: of the vendor's documentation\nexport const token = "${token}";\n`,
    }) as Record<string, string>,
  );
  for (const target of [".", "main"]) {
    const { code, printed } = await runIn(path, ["validate", target, "--no-number", "--format", "json"]);
    expect(code).toBe(1);
    for (const value of [token, key, secret]) expect(printed).not.toContain(value);
    const problems = JSON.parse(printed) as readonly Record<string, unknown>[];
    expect(problems.filter(({ rule }) => rule === "credential")).toMatchObject([
      { file: "manifests/runner/get_weather.yaml", line: 4, column: expect.any(Number) },
      {
        file: "tools/runner/chat.ts",
        line: 1,
        column: 4,
        message: "This looks like a credential (Token).",
      },
      {
        file: "tools/runner/chat.ts",
        line: expect.any(Number),
        message: "This looks like a credential (NamedSecret).",
      },
    ]);
  }
});

test("[V8] `cairn validate` refuses a server that does not say how long its data lives, and explains both choices", async () => {
  const { path, commit } = await createRepository();
  const keeps = edit("uses: [fetch]", "uses: [fetch, state.write]\nsideEffect: true");
  const says = (state: string) => edit("name: runner\n", `name: runner\n${state}`);
  const check = async (state: string) => {
    const files = { "manifests/runner/get_weather.yaml": keeps, "manifests/runner/server.yaml": says(state) };
    await commit(changeTree(files) as Record<string, string>);
    return runIn(path, ["validate", "--no-number"]);
  };
  const { code, printed } = await check("");
  expect(code).toBe(1);
  expect(printed)
    .toBe(`manifests/runner/server.yaml:2:7: Tools of the server keep data, and it does not say how long, so that each version begins with none. (state-unsaid)
    Write \`state: { scope: shared, name: runner }\` where later versions go on with the data; or \`state: { scope: version }\` where each version begins with none, as for a cache.

1 problem in this folder.`);
  for (const state of ["state: { scope: version }\n", "state: { scope: shared, name: desk }\n", "state: desk\n"]) {
    expect(await check(state)).toMatchObject({ code: 0 });
  }
});

test("`cairn validate` says which experiments no tool moves, and that `cairn add tuner` adds such tools", async () => {
  const { path, commit } = await createRepository();
  const experiment =
    "experiment:\n  strategy: { kind: thompson }\n  arms: { short: {}, long: { style: long } }\n  reward: { range: [0, 1] }\n";
  const set = { "manifests/parameters/forecast.yaml": (text: string) => `${text}${experiment}` };
  await commit(changeTree(set) as Record<string, string>);
  const { code, printed } = await runIn(path, ["validate", "--no-number"]);
  expect([code, printed.split("\n").at(-1)]).toEqual([
    0,
    "No tool here moves `forecast`, so calls keep the defaults: `cairn add tuner` adds such tools.",
  ]);
  await runIn(path, ["add", "tuner"]);
  expect((await runIn(path, ["validate", "--no-number"])).printed).not.toContain("No tool here moves");
});
