import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createServiceChecks, type ServiceChecksOptions } from "../../../server/operations/service-checks.ts";
import { openSmallDisk } from "../../helpers/small-disk.ts";

test("a disk without space fails steadily until there is room, whatever trials of the store say", async (context) => {
  const data = await openSmallDisk(context);
  const options = { data, registry: { status: () => ({}) } } as unknown as ServiceChecksOptions;
  const disk = createServiceChecks(options).find(({ name }) => name === "disk:free");
  const look = async () => disk?.run();
  expect(await look()).toMatchObject({ status: "warn", observedUnit: "B", output: "8 MiB are free." });
  await writeFile(join(data, "filler"), Buffer.alloc(8 * 2 ** 20)).catch(() => undefined);
  const full = { status: "fail", output: "No space is left on the disk of the data folder." };
  expect([await look(), await look()]).toMatchObject([full, full]);
  await rm(join(data, "filler"));
  expect(await look()).toMatchObject({ status: "warn" });
});
