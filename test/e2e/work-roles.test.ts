import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createToPrincipal } from "../../server/auth/to-principal.ts";
import { holdsAll } from "../../server/principal.ts";
import { loadDirectoryTree } from "../../server/versions/git/directory-tree.ts";
import { loader } from "../helpers/loader.ts";

const NOTHING = { roles: [], capabilities: [], hosts: [], commands: [], secrets: [] };
const toPrincipal = createToPrincipal(() => NOTHING);
const read = await loadDirectoryTree(".");
const loaded = read.ok ? await loader.load(read.tree, "a".repeat(40)) : read;
if (!("version" in loaded)) throw new Error("The checkout makes no version.");
const { version } = loaded;
const tools = [...version.tools.values()].filter(({ server }) => server === "work");

/** Tools of the work server that a caller with this role may use. */
function listTools(role: string): readonly string[] {
  const principal = toPrincipal(version, { tenant: "acme", actor: "ada", roles: [role] });
  return tools
    .filter(({ requiredCapabilities }) => holdsAll(principal, requiredCapabilities))
    .map(({ name }) => name)
    .toSorted();
}

/** Tools that the table of docs/work.md gives the role; a star stands for all with that beginning. */
function listDocumented(role: string): readonly string[] {
  const page = readFileSync("docs/work.md", "utf8");
  const [head = "", , ...rows] = /^\| tools +\| requester[^]*?\n\n/m.exec(page)?.[0].trim().split("\n") ?? [];
  const cells = (row: string) => row.split("|").map((cell) => cell.trim());
  const column = cells(head).indexOf(role);
  const named = rows
    .map(cells)
    .filter((row) => row[column] === "yes")
    .flatMap(([, names = ""]) => [...names.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name));
  const isNamed = (tool: string) =>
    named.some((name) => (name.endsWith("*") ? tool.startsWith(name.slice(0, -1)) : tool === name));
  return tools
    .map(({ name }) => name)
    .filter(isNamed)
    .toSorted();
}

describe("a role of the work server", () => {
  test.each(["requester", "worker", "approver", "operator"])("%s may use the tools that the page names", (role) => {
    expect(listTools(role)).toEqual(listDocumented(role));
    expect(listTools(role)).not.toEqual([]);
  });

  test("asks, does or approves, and never two of these", () => {
    const kinds = ["task_create", "task_claim", "approval_write", "migrate_apply"];
    const can = (role: string) => kinds.filter((name) => listTools(role).includes(name));
    expect(["requester", "worker", "approver", "operator"].map(can)).toEqual(kinds.map((name) => [name]));
  });

  test("that no policy names may use none", () => {
    expect(listTools("nobody")).toEqual([]);
  });
});
