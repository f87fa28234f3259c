import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createReadExport, PIECE_BYTES } from "../../../server/capabilities/lineage/read-export.ts";
import { LOCAL_PRINCIPAL, type Principal } from "../../../server/principal.ts";
import { createExportReader } from "../../../server/resources/exports.ts";
import { createTestVersion } from "../../helpers/test-version.ts";
import { temporaryFolder } from "../../helpers/temporary.ts";

async function setUp() {
  const exports = await temporaryFolder();
  const version = createTestVersion({
    servers: [{ name: "beliefs", state: "shared" }],
    tools: [
      { name: "export", server: "beliefs", uses: new Set(["lineage.export"]), requiredCapabilities: ["export"] },
      { name: "other", server: "beliefs" },
    ],
  });
  const server = version.servers.get("beliefs");
  if (server === undefined) throw new TypeError("There is no server.");
  const folder = join(exports, LOCAL_PRINCIPAL.tenant, "beliefs", "shared");
  await mkdir(folder, { recursive: true });
  const provide = createExportReader(createReadExport(exports));
  const read = (variables: Record<string, string>, principal: Principal = LOCAL_PRINCIPAL) =>
    provide({ version, server, principal, uri: "exports://beliefs/x", variables });
  return { exports, folder, read };
}

describe("a file that was exported", () => {
  test("is read in pieces, to the byte", async () => {
    const { folder, read } = await setUp();
    const text = "abc\n".repeat(PIECE_BYTES / 4) + "end";
    await writeFile(join(folder, "long.json"), text);
    const first = await read({ path: "long.json" });
    expect(first).toBe(text.slice(0, PIECE_BYTES));
    expect(await read({ path: "long.json", offset: String(PIECE_BYTES) })).toBe("end");
    expect(await read({ path: "long.json", offset: String(text.length) })).toBe("");
  });

  test.each([
    ["of another name", { path: "none.json" }, LOCAL_PRINCIPAL],
    ["of another tenant", { path: "a.json" }, { ...LOCAL_PRINCIPAL, tenant: "other" }],
    ["to those who may not export", { path: "a.json" }, { ...LOCAL_PRINCIPAL, capabilities: new Set<string>() }],
    ["that a name leads out to", { path: "../../../../a.json" }, LOCAL_PRINCIPAL],
    ["that is a folder", { path: ".." }, LOCAL_PRINCIPAL],
  ])("is not there: one %s", async (_, variables, principal) => {
    const { folder, read } = await setUp();
    await writeFile(join(folder, "a.json"), "[\n]\n");
    expect(await read({ path: "a.json" })).toBe("[\n]\n");
    await expect(read(variables, principal)).rejects.toMatchObject({ name: "NOT_FOUND" });
  });

  test("is no symlink", async () => {
    const { folder, read } = await setUp();
    await symlink("/etc/passwd", join(folder, "link.json"));
    await expect(read({ path: "link.json" })).rejects.toMatchObject({ name: "NOT_FOUND" });
  });

  test.each(["-1", "x", "1.5", "9".repeat(20)])("is refused from the offset %s", async (offset) => {
    const { read } = await setUp();
    await expect(read({ path: "a.json", offset })).rejects.toMatchObject({ name: "BAD_REQUEST" });
  });
});
