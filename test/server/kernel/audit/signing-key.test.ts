import { randomBytes } from "node:crypto";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadSigner } from "../../../../server/kernel/audit/signing-key.ts";
import { readCheckpoint, toCheckpointText, toLogKey } from "../../../../server/kernel/audit/verify/checkpoint.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";

describe("the signing key", () => {
  test("is made once, by whichever process comes first, for this account only", async () => {
    const data = await temporaryFolder();
    const signers = await Promise.all(
      Array.from({ length: 20 }, () => loadSigner(join(data, "audit.key"), randomBytes)),
    );
    expect(new Set(signers.map(({ key }) => key.name)).size).toBe(1);
    expect((await stat(join(data, "audit.key"))).mode & 0o777).toBe(0o600);
    expect(await readdir(data)).toEqual(["audit.key"]);
    expect(Object.keys(signers[0] ?? {})).toEqual(["key", "sign"]);
  });

  test("signs checkpoints that verify under the name of their log, and under no other", async () => {
    const { key, sign } = await loadSigner(join(await temporaryFolder(), "audit.key"), randomBytes);
    const origin = toLogKey(key, "a b").name;
    expect(origin).toBe(`${key.name}/a%20b`);
    const note = sign("a b", toCheckpointText({ origin, size: 7, root: Buffer.alloc(32, 1) }));
    expect(readCheckpoint(note, toLogKey(key, "a b"))).toEqual({ origin, size: 7, root: Buffer.alloc(32, 1) });
    expect(readCheckpoint(note, toLogKey(key, "c"))).toBeUndefined();
    expect(
      readCheckpoint(sign("c", toCheckpointText({ origin, size: 7, root: Buffer.alloc(32) })), key),
    ).toBeUndefined();
  });

  test("is refused without saying what it holds", async () => {
    const path = join(await temporaryFolder(), "key");
    await writeFile(path, "PRIVATE+KEY+name+00000000+c2VjcmV0\n");
    await expect(loadSigner(path)).rejects.toThrow(/^`.*key` is no signing key; one line `PRIVATE/);
    await expect(loadSigner(path)).rejects.not.toThrow("c2VjcmV0");
    expect(await readFile(path, "utf8")).toContain("c2VjcmV0");
  });
});
