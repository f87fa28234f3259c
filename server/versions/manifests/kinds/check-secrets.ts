import { isHeaderOfConnection } from "../../../capabilities/fetch/api.ts";
import type { Problem } from "../../problem.ts";
import type { Manifest } from "../manifest.ts";
import type { Path } from "../yaml/locate.ts";
import type { SecretContent, ToolContent } from "./tool-content.ts";

/** Checks that requests can carry the secrets of a tool, and that it promises nothing that forbids them. */
export function checkSecrets({ content, problem }: Manifest<ToolContent>): readonly Problem[] {
  const { secrets = [], uses = [], tenantScoped } = content;
  const problems: Problem[] = [];
  if (secrets.length > 0 && !uses.includes("fetch")) {
    add(["secrets"], "The tool has secrets, but does not use `fetch`.", "Add `fetch` to `uses`, or remove `secrets`.");
  }
  secrets.forEach((secret, index) => {
    const { name, of, header } = secret;
    const earlier = secrets.slice(0, index);
    if (earlier.some((other) => other.name === name)) {
      add(["secrets", index, "name"], `The secret \`${name}\` is already named above.`, "Name each secret once.");
    }
    const rival = earlier.find((other) => shareCarrier(other, secret));
    if (rival !== undefined) {
      const message = `\`${name}\` and \`${rival.name}\` go to one host in one ${header === undefined ? "parameter" : "header"}.`;
      add(["secrets", index], message, "Give them different hosts, or different headers.");
    }
    if (header !== undefined && isHeaderOfConnection(header)) {
      const message = `The header \`${header}\` is set by Cairn for each connection.`;
      add(["secrets", index, "header"], message, "Name the header in which the API expects its key.");
    }
    if (tenantScoped === false && (of === "tenant" || of === "caller")) {
      const message = `The secret \`${name}\` belongs to a tenant, but the tool says that it is not scoped to tenants.`;
      add(["secrets", index, "of"], message, "Remove `tenantScoped: false`, or say `of: service`.");
    }
  });
  return problems;

  function add(path: Path, message: string, fix: string): void {
    problems.push(problem("tool-secret", path, message, fix));
  }
}

function shareCarrier(one: SecretContent, other: SecretContent): boolean {
  const isSame =
    one.header === undefined || other.header === undefined
      ? one.query !== undefined && one.query === other.query
      : one.header.toLowerCase() === other.header.toLowerCase();
  return isSame && one.hosts.some((host) => other.hosts.includes(host));
}
