import { isHeaderOfConnection } from "../../../capabilities/fetch/api.ts";
import type { Problem } from "../../problem.ts";
import type { UpstreamSecret } from "../../secret.ts";
import type { Manifest } from "../manifest.ts";
import type { Path } from "../yaml/locate.ts";

/** An entry of `secrets`: without `of` and `format` they are `service` and `{}`. */
export type UpstreamSecretContent = Pick<UpstreamSecret, "name" | "header"> &
  Partial<Pick<UpstreamSecret, "of" | "format">>;

/** Headers by which MCP itself is spoken. */
const OF_MCP: ReadonlySet<string> = new Set(["accept", "content-type", "last-event-id"]);

/** Checks that requests to an upstream can carry its secrets. */
export function checkUpstreamSecrets({
  content: { url, command, secrets = [] },
  problem,
}: Manifest<{
  readonly url?: string;
  readonly command?: readonly string[];
  readonly secrets?: readonly UpstreamSecretContent[];
}>): readonly Problem[] {
  const problems: Problem[] = [];
  if (secrets.length > 0 && url === undefined && command !== undefined) {
    add(
      ["secrets"],
      "A command gets no secrets: it would have the value itself, and could send it anywhere or answer with it.",
      "Run the server elsewhere, and give its `url`; or remove `secrets`.",
    );
  }
  secrets.forEach(({ name, header }, index) => {
    const earlier = secrets.slice(0, index);
    if (earlier.some((other) => other.name === name))
      add(["secrets", index, "name"], `The secret \`${name}\` is already named above.`, "Name each secret once.");
    const rival = earlier.find((other) => other.header.toLowerCase() === header.toLowerCase());
    if (rival !== undefined) {
      const message = `\`${name}\` and \`${rival.name}\` go in one header.`;
      add(["secrets", index, "header"], message, "Give them different headers.");
    }
    if (isOfMcp(header)) {
      const message = `The header \`${header}\` is set by Cairn for each request.`;
      add(["secrets", index, "header"], message, "Name the header in which the server expects its key.");
    }
  });
  return problems;

  function add(path: Path, message: string, fix: string): void {
    problems.push(problem("upstream-secret", path, message, fix));
  }
}

function isOfMcp(header: string): boolean {
  const lower = header.toLowerCase();
  return isHeaderOfConnection(lower) || OF_MCP.has(lower) || lower.startsWith("mcp-");
}
