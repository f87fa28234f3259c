import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { toExportFolder } from "../../../../server/capabilities/lineage/export-lineage.ts";
import { createExportAnswers, createReadExport } from "../../../../server/capabilities/lineage/read-export.ts";
import type { Nodes } from "../../../../server/instance/nodes.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";

const AREA = { tenant: "acme", server: "beliefs", scope: "shared" };

async function createArea(files: Readonly<Record<string, string>>): Promise<string> {
  const exports = await temporaryFolder();
  const folder = toExportFolder(exports, AREA);
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return exports;
}

/** A node beside one whose export area is empty, with what it answers a request with. */
function beside(answer: (body: unknown) => Promise<Response>): Pick<Nodes, "self" | "list" | "request"> {
  const [self, other] = ["self", "other"].map((id) => ({
    id,
    label: id,
    release: "1",
    address: `http://${id}`,
    opening: id,
    startedAt: 0,
  }));
  if (self === undefined || other === undefined) throw new Error("There are two.");
  return {
    self,
    list: async () => [self, other],
    request: async (_id, { body = "" }) => answer(JSON.parse(String(body))),
  };
}

test("a file that another node has written is read from there, and the longest one of a name is the newest", async () => {
  const answerOf = createExportAnswers(await createArea({ "theirs.json": "[theirs]", "both.json": "[newer, longer]" }));
  const own = await createArea({ "own.json": "[own]", "both.json": "[older]" });
  const read = createReadExport(
    own,
    beside(async (body) => Response.json(await answerOf(body as never))),
  );
  const texts = ["own.json", "theirs.json", "both.json", "none.json"].map((name) => read({ ...AREA, name, offset: 1 }));
  expect(await Promise.all(texts)).toEqual(["own]", "theirs]", "newer, longer]", undefined]);
});

test("a file is not read while another node may have a newer one, unless its release keeps files for itself", async () => {
  const own = await createArea({ "own.json": "[own]" });
  const read = (status: number) =>
    createReadExport(
      own,
      beside(async () => new Response(null, { status })),
    )({ ...AREA, name: "own.json", offset: 0 });
  await expect(read(500)).rejects.toMatchObject({ name: "UNAVAILABLE" });
  expect(await read(404)).toBe("[own]");
});

test.each([
  null,
  { ...AREA, name: "own.json" },
  { ...AREA, scope: "../shared", name: "own.json", offset: 0 },
  { ...AREA, name: "own.json", offset: -1 },
])("another node is not answered that asks for %j", async (asked) => {
  const answer = createExportAnswers(await createArea({ "own.json": "[own]" }));
  await expect(answer(asked as never)).rejects.toMatchObject({ name: "BAD_REQUEST" });
});
