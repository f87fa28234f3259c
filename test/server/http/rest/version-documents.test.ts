import { describe, expect, test } from "vitest";
import { createVersionDocuments } from "../../../../server/http/rest/version-documents.ts";
import type { Document } from "../../../../server/http/document.ts";
import { LOCAL_PRINCIPAL, type Principal } from "../../../../server/principal.ts";
import { createTestVersion } from "../../../helpers/test-version.ts";

const who = (...capabilities: string[]): Principal => ({
  tenant: "t",
  actor: "a",
  capabilities: new Set(capabilities),
});

const version = createTestVersion({
  tools: [
    { name: "open", server: "runner" },
    { name: "read", server: "runner", requiredCapabilities: ["data.read"] },
    { name: "write", server: "runner", requiredCapabilities: ["data.read", "data.write"] },
  ],
});

async function namesIn(document: Document): Promise<string[]> {
  const { tools } = JSON.parse(Buffer.from(await document.encode("identity")).toString()) as {
    tools: { name: string }[];
  };
  return tools.map(({ name }) => name);
}

describe("the documents of a version", () => {
  test("list the tools that a principal may use", async () => {
    const { tools } = createVersionDocuments();
    expect(await namesIn(tools(version, who()))).toEqual(["open"]);
    expect(await namesIn(tools(version, who("data.read")))).toEqual(["open", "read"]);
    expect(await namesIn(tools(version, who("data.write")))).toEqual(["open"]);
    expect(await namesIn(tools(version, who("data.read", "data.write")))).toEqual(["open", "read", "write"]);
    expect(await namesIn(tools(version, LOCAL_PRINCIPAL))).toEqual(["open", "read", "write"]);
  });

  test("are made once: a listing for all who may use the same tools", () => {
    const { tools, tool, openApi } = createVersionDocuments();
    expect(tools(version, who("data.read"))).toBe(tools(version, who("data.read", "other")));
    expect(tools(version, who())).not.toBe(tools(version, who("data.read")));
    expect(tool(version, LOCAL_PRINCIPAL, "read")).toBe(tool(version, who("data.read"), "read"));
    expect(openApi(version, who("data.read"))).toBe(openApi(version, who("data.read", "other")));
    const other = createTestVersion({ commit: "d".repeat(40) });
    expect(openApi(version, LOCAL_PRINCIPAL)).not.toBe(openApi(other, LOCAL_PRINCIPAL));
  });

  test("keep a bounded number of listings", async () => {
    const names = Array.from({ length: 40 }, (_, index) => `tool${index}`);
    const many = createTestVersion({
      tools: names.map((name) => ({ name, server: "runner", requiredCapabilities: [name] })),
    });
    const { tools } = createVersionDocuments();
    const first = tools(many, who("tool0"));
    for (const name of names) expect(await namesIn(tools(many, who(name)))).toEqual([name]);
    expect(tools(many, who("tool0"))).not.toBe(first);
    expect(tools(many, who("tool0")).tag("identity")).toBe(first.tag("identity"));
  });

  test("say whether some tools are not for everyone", () => {
    const { hasRestrictedTools } = createVersionDocuments();
    expect(hasRestrictedTools(version)).toBe(true);
    expect(hasRestrictedTools(createTestVersion({ tools: [{ name: "open", server: "runner" }] }))).toBe(false);
  });

  test("do not show a tool that the version does not have", () => {
    const { tool } = createVersionDocuments();
    for (const name of ["gone", "constructor", ""]) {
      expect(() => tool(version, LOCAL_PRINCIPAL, name)).toThrow(expect.objectContaining({ name: "INVALID_TOOL" }));
    }
  });

  test("say nothing of tools that the principal may not use", async () => {
    const { openApi, tool } = createVersionDocuments();
    const text = Buffer.from(await openApi(version, who("data.read")).encode("identity")).toString();
    expect(Object.keys((JSON.parse(text) as { paths: object }).paths)).toEqual([
      "/api/tools",
      "/versions/{version}",
      "/api/tools/open",
      "/api/tools/read",
    ]);
    expect(text).not.toContain("write");
    expect(() => tool(version, who("data.read"), "write")).toThrow(
      expect.objectContaining({ name: "FORBIDDEN", message: expect.stringContaining("`data.write`") as string }),
    );
    expect(() => tool(version, who("data.read"), "gone")).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/it has: open, read\.$/) as string }),
    );
  });
});
