import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { claimForm, DATA_FORM } from "../../../server/instance/data-form.ts";
import { runCairn } from "../../helpers/cairn.ts";
import { temporaryFolder } from "../../helpers/temporary.ts";

test("a data folder without a form gets this Cairn's, and keeps it", async () => {
  const data = await temporaryFolder();
  for (let times = 0; times < 2; times++) {
    await claimForm(data);
    expect(JSON.parse(await readFile(join(data, "form.json"), "utf8"))).toEqual({ schemaVersion: 1, form: DATA_FORM });
  }
});

test.each([
  { text: `{ "form": ${DATA_FORM + 1} }`, said: `in form ${DATA_FORM + 1}; this one knows forms up to ${DATA_FORM}.` },
  { text: "", said: "does not name the form of the data folder" },
  { text: `{ "form": "1" }`, said: "does not name the form of the data folder" },
  { text: "[0]", said: "does not name the form of the data folder" },
])("a form that is $text is refused, and stays as it is", async ({ text, said }) => {
  const data = await temporaryFolder();
  await writeFile(join(data, "form.json"), text);
  await expect(claimForm(data)).rejects.toMatchObject({ name: "UNAVAILABLE", message: expect.stringContaining(said) });
  expect(await readFile(join(data, "form.json"), "utf8")).toBe(text);
});

test("a service says which Cairn to start on the data of a newer one, in a line, and makes no store there", async () => {
  const data = await temporaryFolder();
  await writeFile(join(data, "form.json"), `{ "form": ${DATA_FORM + 1} }`);
  const { code, stdout, stderr } = await runCairn(["serve", "--data", data], { environment: { PORT: "0" } });
  expect([code, stdout]).toEqual([3, ""]);
  const lines = stderr.trimEnd().split("\n");
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("Start that Cairn again, or restore a backup from before the upgrade (docs/upgrade.md).");
});
