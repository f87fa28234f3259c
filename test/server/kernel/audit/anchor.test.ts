import { describe, expect, test } from "vitest";
import { checkAnchor, readAnchor, toAnchor } from "../../../../server/kernel/audit/anchor.ts";
import { createAuditReader } from "../../../../server/kernel/audit/audit-reader.ts";
import { loadTree } from "../../../../server/kernel/audit/checkpoints.ts";
import { openAudited } from "./audited.ts";

async function setUp() {
  const audited = await openAudited();
  const reader = createAuditReader(audited.store);
  const prove = async (origin: string, from: number, to: number) => {
    const { hashes } = await reader.consistency(origin.split("/").at(-1) ?? "", from, to);
    return hashes.map((hash) => Buffer.from(hash, "base64"));
  };
  const anchor = async (...tenants: string[]) => {
    await audited.audit.settled();
    return toAnchor(
      await Promise.all(tenants.map(async (tenant) => (await loadTree(audited.store, tenant)).checkpoint)),
    );
  };
  return { ...audited, prove, anchor, key: audited.signer.key };
}

describe("an anchor", () => {
  test("has each log's checkpoint, in an order of its own", async () => {
    const { call, anchor } = await setUp();
    for (const tenant of ["globex", "acme"]) await call(tenant);
    const text = await anchor("globex", "acme");
    expect(text).toBe(await anchor("acme", "globex"));
    expect(readAnchor(text)).toHaveLength(2);
    expect(readAnchor("")).toEqual([]);
  });

  test("is continued by one whose logs have only grown", async () => {
    const { call, anchor, key, prove } = await setUp();
    await call("acme");
    const first = await anchor("acme");
    for (let count = 0; count < 5; count += 1) await call("acme");
    await call("globex");
    const second = await anchor("acme", "globex");
    await checkAnchor("", first, key, prove);
    await checkAnchor(first, second, key, prove);
    await checkAnchor(second, second, key, prove);
    await expect(checkAnchor(second, first, key, prove)).rejects.toThrow("has shrunk from 6 entries to 1");
    await expect(checkAnchor(second, await anchor("acme"), key, prove)).rejects.toThrow("globex` is missing");
  });

  test("is not continued by another history, nor by one that someone else has signed", async () => {
    const { call, anchor, key, prove, store, signer } = await setUp();
    await call("acme");
    const first = await anchor("acme");
    const other = await setUp();
    for (let count = 0; count < 2; count += 1) await other.call("acme");
    await expect(checkAnchor(first, await other.anchor("acme"), key, prove)).rejects.toThrow(
      "has no checkpoint signed",
    );
    await other.audit.settled();
    const { checkpoint } = await loadTree(other.store, "acme");
    const forged = signer.sign(
      "acme",
      checkpoint.slice(0, checkpoint.indexOf("\n\n") + 1).replace(/^.*$/m, `${key.name}/acme`),
    );
    await call("acme");
    await anchor("acme");
    expect((await loadTree(store, "acme")).size).toBe(2);
    await expect(checkAnchor(first, toAnchor([forged]), key, prove)).rejects.toThrow(
      "does not begin with the 1 entries",
    );
  });
});
