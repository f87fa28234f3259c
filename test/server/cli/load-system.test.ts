import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { copySystem } from "../../../server/cli/load-system.ts";
import { temporaryFolder } from "../../helpers/temporary.ts";

async function copy() {
  const folder = await temporaryFolder();
  await copySystem(".", "tuner", folder);
  const read = async (path: string) => readFile(join(folder, path), "utf8");
  return { folder, read };
}

describe("a tuner in a repository of one's own", () => {
  test("is Cairn's own, with an example of each tool that holds without any experiment", async () => {
    const { read } = await copy();
    for (const name of await readdir("manifests/tuner")) {
      const path = `manifests/tuner/${name}`;
      const [{ examples: _own, ...own }, { examples, ...copied }] = [
        parse(await readFile(path, "utf8")),
        parse(await read(path)),
      ];
      if (name === "server.yaml") continue;
      expect([name, copied]).toEqual([name, own]);
      expect([name, examples.length]).toEqual([name, 1]);
    }
  });

  test("names nothing of the example agent's", async () => {
    const { folder, read } = await copy();
    const paths = ["manifests/tuner", "tools/tuner"].map(async (at) =>
      (await readdir(join(folder, at))).map((name) => `${at}/${name}`),
    );
    const sets = (await readdir("manifests/parameters")).map((name) => name.replace(".yaml", ""));
    const foreign = new RegExp(`\\b(?:${sets.join("|")}|get_weather|runner\\.chat)\\b`);
    for (const path of (await Promise.all(paths)).flat())
      expect([path, foreign.exec(await read(path))]).toEqual([path, null]);
    expect(await read("tools/tuner/promote.ts")).toContain('from "cairn-gitops/host-api"');
  });

  test("has comments and lines as they are, but for what is left out", async () => {
    const { read } = await copy();
    for (const name of ["server.yaml", "promote.yaml"]) {
      const own = new Set((await readFile(`manifests/tuner/${name}`, "utf8")).split("\n"));
      expect((await read(`manifests/tuner/${name}`)).split("\n").filter((line) => !own.has(line))).toEqual([]);
    }
  });
});
