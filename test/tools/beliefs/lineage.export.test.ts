import { hash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { keepPromises } from "../keep-promises.ts";
import { useBeliefs } from "./use-beliefs.ts";

const beliefs = useBeliefs();

describe("lineage.export", () => {
  test("keeps the promises of its examples", () => keepPromises(beliefs.checkout, "lineage.export"));

  test("[B1] [B2] writes all checksums into a file of its own and answers with that file's", async () => {
    const who = beliefs.keeper();
    await beliefs.nodes([0, 1], who);
    const { entries } = await beliefs.output("lineage.replay", {}, who);
    const { checksum } = await beliefs.output("lineage.export", { path: "all.json" }, who);
    const [file = ""] = globSync(`${beliefs.checkout.exports()}/${who.tenant}/**/all.json`);
    const text = readFileSync(file, "utf8");
    expect([JSON.parse(text), hash("sha256", text)]).toEqual([entries, checksum]);
    // As docs/beliefs.md has it: anybody can make the file again from what lineage.replay tells.
    const lines = (entries as Record<string, unknown>[]).map(
      ({ seq, checksum: own, timestamp }) => `\n${JSON.stringify({ seq, checksum: own, timestamp })}`,
    );
    expect(text).toBe(`[${lines.join(",")}\n]\n`);
  });

  test.each(["", "/etc/cairn.json", "../up.json", "a/b.json", ".."])(
    "[B4] refuses the path %j and says so",
    async (path) => {
      expect(await beliefs.error("lineage.export", { path }, beliefs.keeper())).toMatchObject({
        code: 2000,
        name: "BAD_REQUEST",
        message: expect.stringContaining("`path`"),
      });
    },
  );
});
