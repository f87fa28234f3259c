import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkSecrets } from "../../../../../server/architect/pipeline/verify/check-secrets.ts";
import { WORKSPACE_LIMITS } from "../../../../../server/capabilities/workspace/limits.ts";
import { temporaryFolder } from "../../../../helpers/temporary.ts";

// Put together here, so that no one who searches this repository finds what looks like one.
const KEY = ["glpat", "aBcDeFgHiJkLmNoPqRsT"].join("-");
const OTHER = KEY.replace("aBc", "cBa");

async function check(
  files: Readonly<Record<string, string | Uint8Array>>,
  before: Readonly<Record<string, string>> = {},
) {
  const folder = await temporaryFolder();
  for (const [path, content] of Object.entries(files)) await writeFile(join(folder, path), content);
  return checkSecrets({
    folder,
    readBefore: async (file) => before[file],
    changed: [...Object.keys(files), "deleted.md"],
    signal: new AbortController().signal,
  });
}

test("what a change brings fails it, with its place and not with itself", async () => {
  const { status, message } = await check({ "a.md": `one\n  ${KEY}\n`, "b.md": "two\n" });
  expect({ status, message }).toEqual({
    status: "failed",
    message: "a.md:2:3: looks like a credential (GITLAB_PERSONAL_ACCESS_TOKEN).\n2 files searched.",
  });
});

test("what was in the file before is not held against it, but for another one beside it", async () => {
  const before = { "a.md": `key: ${KEY}\n` };
  expect((await check({ "a.md": `# More\nkey: ${KEY}\n` }, before)).status).toBe("passed");
  expect((await check({ "b.md": `key: ${KEY}\n` }, before)).status).toBe("failed");
  expect(await check({ "a.md": `${KEY}\n${OTHER}\n` }, before)).toMatchObject({
    status: "failed",
    message: expect.stringMatching(/^a\.md:2:1: /),
  });
});

test("files that are no text are searched, too large ones named, and deleted ones left out", async () => {
  const bytes = Buffer.concat([Buffer.from([0xff, 0xfe, 0]), Buffer.from(KEY), Buffer.from([0x80])]);
  expect((await check({ "a.bin": bytes })).status).toBe("failed");
  const large = await check({ "large.txt": "x".repeat(WORKSPACE_LIMITS.readBytes + 1) });
  expect(large).toMatchObject({
    status: "passed",
    message: expect.stringMatching(/^0 files searched\.\nlarge\.txt: not searched: /),
  });
  expect(await check({})).toEqual({ status: "skipped", message: "No file is there to be searched." });
});
