import { createHash } from "node:crypto";
import { isHeaderOfConnection } from "../../../capabilities/fetch/api.ts";
import { canonicalJson } from "../../../json/canonical-json.ts";
import type { Problem } from "../../problem.ts";
import type { UpstreamSecret } from "../../secret.ts";
import type { FrozenTool, Upstream, UpstreamLimits, UpstreamReach } from "../../upstream.ts";
import { deepFreeze } from "../deep-freeze.ts";
import type { Manifest } from "../manifest.ts";
import type { FileRead } from "./file-read.ts";
import type { Path } from "../yaml/locate.ts";

/** An upstream's manifest, as its schema allows it. */
export interface UpstreamContent {
  readonly name: string;
  readonly description?: string;
  readonly url?: string;
  readonly command?: readonly string[];
  readonly mounts?: readonly string[];
  readonly secrets?: readonly UpstreamSecretContent[];
  readonly protocol: string;
  readonly server?: string;
  readonly rewording?: "refuse" | "serve";
  readonly limits?: Partial<UpstreamLimits>;
  readonly tools: Readonly<Record<string, FrozenTool>>;
}

export interface UpstreamFile {
  readonly upstream: Upstream;
  readonly problem: Manifest<UpstreamContent>["problem"];
}

/** As the descriptions in `schemas/upstream.schema.json` have them. */
const DEFAULTS: UpstreamLimits = { time: 30_000, output: 4 * 2 ** 20 };
const SECRET = { of: "service", format: "{}" } as const;

/** Digest of a tool's definition, as its server listed it. */
export function digestDefinition(definition: FrozenTool["definition"]): string {
  return `sha256:${createHash("sha256").update(canonicalJson(definition)).digest("hex")}`;
}

export function readUpstream(stem: string, manifest: Manifest<UpstreamContent>): FileRead<UpstreamFile> {
  const { file, content, problem } = manifest;
  const { name, protocol, rewording = "refuse", limits, secrets = [], tools } = content;
  const upstream: Upstream = Object.freeze({
    name,
    reach: toReach(content),
    protocol,
    servesReworded: rewording === "serve",
    limits: deepFreeze({ ...DEFAULTS, ...limits }),
    secrets: deepFreeze(secrets.map((secret) => ({ ...SECRET, ...secret }))),
    tools: new Map(Object.entries(tools)),
    file,
  });
  const problems: Problem[] = [];
  if (name !== stem) {
    const message = `The upstream \`${name}\` is in the file \`${stem}.yaml\`.`;
    problems.push(problem("name-mismatch", ["name"], message, `Write \`name: ${stem}\`, or rename the file.`));
  }
  problems.push(...checkReach(manifest), ...checkUpstreamSecrets(manifest));
  for (const [tool, { digest, definition }] of Object.entries(tools)) {
    if (digestDefinition(definition) === digest) continue;
    const message = `The definition of \`${tool}\` is not the one that was imported: its digest belongs to another.`;
    const fix =
      "Undo the edit, or run `cairn import mcp` again; texts that clients see are in the tool's own manifest.";
    problems.push(problem("upstream-invalid", ["tools", tool, "digest"], message, fix));
  }
  return { value: { upstream, problem }, problems };
}

function toReach({ url, command = [], mounts = [] }: UpstreamContent): UpstreamReach {
  return url === undefined ? deepFreeze({ kind: "command", command, mounts }) : deepFreeze({ kind: "url", url });
}

function checkReach({ content, problem }: Manifest<UpstreamContent>): readonly Problem[] {
  const { url, command, mounts } = content;
  if ((url === undefined) === (command === undefined)) {
    const message = url === undefined ? "Nothing says where the upstream is." : "The upstream is in two places.";
    const fix = "Give it either a `url` or a `command`.";
    return [problem("upstream-invalid", url === undefined ? ["name"] : ["command"], message, fix, "key")];
  }
  if (url !== undefined && !URL.canParse(url)) {
    return [
      problem("wrong-value", ["url"], `\`${url}\` is no address.`, "Write one such as https://mcp.example.com/mcp."),
    ];
  }
  if (url === undefined || mounts === undefined) return [];
  const message = "A server at a URL sees no folders of this machine.";
  return [problem("upstream-invalid", ["mounts"], message, "Remove `mounts`.", "key")];
}

/** An entry of `secrets`: without `of` and `format` they are `service` and `{}`. */
type UpstreamSecretContent = Pick<UpstreamSecret, "name" | "header"> & Partial<Pick<UpstreamSecret, "of" | "format">>;

/** Headers by which MCP itself is spoken. */
const OF_MCP: ReadonlySet<string> = new Set(["accept", "content-type", "last-event-id"]);

/** Checks that requests to an upstream can carry its secrets. */
function checkUpstreamSecrets({
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
