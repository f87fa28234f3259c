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
