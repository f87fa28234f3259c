import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  findServiceSigner,
  loadServiceSigner,
  openServiceSigner,
  pinServiceKey,
} from "../../../../server/kernel/audit/service-key.ts";
import { toVkey } from "../../../../server/kernel/audit/verify/note.ts";
import { openTestStore } from "../../../helpers/store.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";
import { openAudited, openSigner } from "./audited.ts";

/** A data folder whose logs of two tenants were signed by a service's first start. */
async function openSigned() {
  const data = await temporaryFolder();
  const store = await openTestStore();
  const signer = await openServiceSigner({ data }, store, randomBytes);
  const { audit, call } = await openAudited({ store, signer });
  for (const tenant of ["acme", "other"]) await call(tenant);
  await audit.settled();
  return { data, store, signer, path: join(data, "audit.key") };
}

describe("the signing key of a service", () => {
  test("is made at the first start, is published beside it, and is the same at the next", async () => {
    const data = await temporaryFolder();
    expect(await findServiceSigner({ data })).toBeUndefined();
    const store = await openTestStore();
    const { key } = await openServiceSigner({ data }, store, randomBytes);
    expect((await openServiceSigner({ data }, store, randomBytes)).key).toEqual(key);
    expect(await readFile(join(data, "audit.vkey"), "utf8")).toBe(`${toVkey(key)}\n`);
    expect((await loadServiceSigner({ data })).key).toEqual(key);
  });

  test("is not made where the configuration names one, nor beside logs that another key has signed", async () => {
    const { data, store, signer, path } = await openSigned();
    await rm(path);
    const message = `is signed with the key \`${signer.key.name}\`, which is not at \`${path}\``;
    await expect(openServiceSigner({ data }, store, randomBytes)).rejects.toThrow(message);
    await expect(findServiceSigner({ data })).rejects.toThrow(message);
    // Data of an earlier Cairn, which published no key.
    await rm(join(data, "audit.vkey"));
    await expect(openServiceSigner({ data }, store, randomBytes)).rejects.toThrow(message);
    const auditKey = join(data, "elsewhere");
    await expect(openServiceSigner({ data, auditKey }, store, randomBytes)).rejects.toThrow("cannot be read at");
    expect([existsSync(path), existsSync(auditKey)]).toEqual([false, false]);
  });

  test("is refused where it is not that of the logs, by a start and by everything that loads it", async () => {
    const { data, store, signer, path } = await openSigned();
    const auditKey = join(await temporaryFolder(), "moved");
    await rename(path, auditKey);
    expect((await openServiceSigner({ data, auditKey }, store, randomBytes)).key).toEqual(signer.key);
    const foreign = await temporaryFolder();
    await openServiceSigner({ data: foreign }, await openTestStore(), randomBytes);
    await writeFile(path, await readFile(join(foreign, "audit.key")));
    const message = `and the audit of this data folder is signed with \`${signer.key.name}\``;
    await expect(openServiceSigner({ data }, store, randomBytes)).rejects.toThrow(message);
    await expect(loadServiceSigner({ data })).rejects.toThrow(message);
  });

  test("is taken where it has signed some of the logs: the audit names the others", async () => {
    const { data, store, signer } = await openSigned();
    const { audit, call } = await openAudited({ store, signer: await openSigner() });
    await call("third");
    await audit.settled();
    expect((await openServiceSigner({ data }, store, randomBytes)).key).toEqual(signer.key);
  });
});

describe("the key of several nodes", () => {
  test("is pinned in their store by the first, and another one is refused before anything is signed", async () => {
    const store = await openTestStore();
    const [one, two] = [await openSigner(), await openSigner()];
    const place = { data: "", auditKey: "/etc/cairn/audit.key" };
    await pinServiceKey(place, store, one);
    await pinServiceKey(place, store, one);
    await expect(pinServiceKey(place, store, two)).rejects.toMatchObject({
      name: "BAD_REQUEST",
      message: `\`${place.auditKey}\` has the key \`${two.key.name}\`, and the nodes of this store sign with \`${one.key.name}\`. Copy the file of that key here, and let CAIRN_AUDIT_KEY name it.`,
    });
  });
});
