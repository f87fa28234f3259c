import { randomBytes } from "node:crypto";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openServiceSigner } from "../../../../server/kernel/audit/service-key.ts";
import { openTestStore } from "../../../helpers/store.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";
import { runIn } from "../run-in.ts";

test("a backup without the audit's key says so, and a restore names the key that is missing or wrong", async () => {
  const folder = await temporaryFolder();
  const grant = ["--tenant", "acme", "--actor", "ci", "--scopes", "runner"];
  const data = join(folder, "data");
  expect((await runIn(folder, ["token", "create", ...grant, "--data", data])).code).toBe(0);
  const backUp = async (to: string) => (await runIn(folder, ["backup", to, "--data", data])).printed;
  const lacking = "the audit's signing key, which CAIRN_AUDIT_KEY names for the service";
  // No service was started on it yet, so there is no key to miss.
  expect(await backUp("unstarted")).not.toContain("signing key");

  const { key } = await openServiceSigner({ data }, await openTestStore(), randomBytes);
  expect(await backUp("whole")).not.toContain("signing key");
  expect((await runIn(folder, ["restore", "whole", "--data", "again"])).printed).not.toContain("before you start");

  await rename(join(data, "audit.key"), join(folder, "kept.key"));
  expect(await backUp("lacking")).toContain(lacking);
  const missing = await runIn(folder, ["restore", "lacking", "--data", "bare"]);
  expect([missing.code, missing.printed]).toEqual([
    0,
    expect.stringContaining(
      `cairn: before you start a service: The audit of this data folder is signed with the key \`${key.name}\``,
    ),
  ]);
  const environment = { PATH: process.env["PATH"], CAIRN_AUDIT_KEY: join(folder, "kept.key") };
  const named = await runIn(folder, ["restore", "lacking", "--data", "named"], { environment });
  expect(named.printed).not.toContain("before you start");
});
