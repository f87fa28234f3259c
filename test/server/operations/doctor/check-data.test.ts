import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkData, checkOwners, explainRefusal } from "../../../../server/operations/doctor/check-data.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";

const REASON = "EACCES: permission denied";

test("a data folder that is not there yet is made for this account, and no folder above it changes hands", () => {
  const refusal = {
    data: "/var/lib/cairn",
    place: "/var/lib",
    owner: 0,
    account: 998,
    isEntered: true,
    reason: REASON,
  };
  expect(explainRefusal(refusal)).toEqual({
    check: "data.folder",
    status: "fail",
    message: `\`/var/lib/cairn\` is not there, and account 998 cannot make it in \`/var/lib\` of account 0: ${REASON}`,
    advice: "If this account is the service's, make the folder as root: `install -d -o 998 -m 700 '/var/lib/cairn'`.",
  });
  const closed = explainRefusal({ ...refusal, data: "/root/x", place: "/root", isEntered: false });
  expect(closed.advice).toBe(
    "Set CAIRN_DATA to a folder that account 998 can reach, such as /var/lib/cairn; leave `/root` as it is.",
  );
  const own = explainRefusal({ ...refusal, place: "/var/lib/cairn" });
  expect(own.advice).toContain("install -d -o 998 -m 700 '/var/lib/cairn'");
  for (const { advice } of [closed, own]) expect(advice).not.toContain("chown");
  const readOnly = explainRefusal({ ...refusal, reason: "EROFS: read-only file system, access '/var/lib'" });
  expect(readOnly.advice).toContain("ReadWritePaths");
  expect(readOnly.advice).not.toContain("install -d");
});

test("a file in the place of the data folder, or above it, is a file", async () => {
  const file = join(await temporaryFolder(), "data");
  await writeFile(file, "");
  for (const data of [file, join(file, "below")]) {
    expect(await checkData({ data })).toEqual([
      {
        check: "data.folder",
        status: "fail",
        message: `\`${file}\` is a file.`,
        advice: "Set CAIRN_DATA to a folder.",
      },
    ]);
  }
});

test("a part of another account is named, and nobody is sent to the account that runs this", async () => {
  const store = { path: "/d/store", owner: 998 };
  expect(checkOwners({ data: "/d", owner: 0, account: 0, parts: [store] })).toMatchObject({
    status: "warn",
    message: "`/d/store` belongs to account 998, and `/d` to 0.",
    advice: expect.stringContaining("For 0: `chown -R 0 '/d/store'`; for 998: `chown -R 998 '/d'`."),
  });
  expect(checkOwners({ data: "/d", owner: 7, account: 7, parts: [store] })).toMatchObject({
    status: "fail",
    message: "`/d/store` belongs to account 998, not to 7.",
    advice: "Run as root: chown -R 7 '/d/store'",
  });
  const files = ["/d/store/data.mdb", "/d/store/lock.mdb", "/d/audit.key"].map((path) => ({ path, owner: 0 }));
  expect(checkOwners({ data: "/d", owner: 7, account: 7, parts: [...files, { path: "/d/store", owner: 7 }] })).toEqual({
    check: "data.folder",
    status: "fail",
    message: "`/d/store/data.mdb` belongs to account 0, not to 7. So do 2 more parts of the folder.",
    advice: "Run as root: chown -R 7 '/d/store/data.mdb' '/d/store/lock.mdb' '/d/audit.key'",
  });
  expect(checkOwners({ data: "/d", owner: 998, account: 0, parts: [store] })?.advice).toContain("sudo -u '#998'");
  expect(checkOwners({ data: "/d", owner: 998, account: 998, parts: [store] })).toBeUndefined();
  const data = await temporaryFolder();
  await mkdir(join(data, "store"), { mode: 0o700 });
  expect((await checkData({ data })).filter(({ status }) => status === "fail")).toEqual([]);
});
