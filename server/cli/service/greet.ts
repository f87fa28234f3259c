import type { Service } from "../../app/app.ts";
import { count } from "../../text/count.ts";
import { quoteShell } from "../../text/quote-shell.ts";

/** Versions named when the service starts. */
const SHOWN = 10;

/** Greets the operator with the served versions and a first call to copy. */
export async function greet({
  url,
  registry,
  delay,
  isOpen,
  hasConsole,
  hiddenData,
}: Service): Promise<readonly string[]> {
  const { versions, total, served } = await registry.list({ limit: SHOWN, offset: 0, includeUnstable: true });
  const { dev, pullRequests } = registry.status();
  const quarantined = total - served - pullRequests;
  const names = versions.map(({ tag, commit, servers, state, labels, pullRequest }) => {
    const name = tag?.slice(1) ?? commit.slice(0, 10);
    if (state === "quarantined") return `  ${name}  quarantined: ${url}/versions/${commit} says why`;
    if (state === "preview") return `  ${name}  pull request ${pullRequest}, a preview: ${url}/versions/${commit}`;
    if (state === "unserved") return `  ${name}  pull request ${pullRequest}, not served: ${url}/versions/${commit}`;
    const label = labels.length === 0 ? "" : ` (${labels.join(", ")})`;
    return `  ${name}${label}  ${servers.map((server) => `${url}/agent/${name}/${server}`).join("  ")}`;
  });
  const first = dev?.commit === undefined ? "latest" : "dev";
  return [
    `Cairn serves ${count(served, "version")} at ${url}`,
    ...(quarantined > 0 ? [`${quarantined} more ${quarantined === 1 ? "is" : "are"} quarantined, so not served`] : []),
    ...names,
    ...(total === 0 && dev?.commit === undefined ? NO_VERSIONS : []),
    ...(total > SHOWN ? [`  ... and ${total - SHOWN} more: ${url}/versions`] : []),
    ...(dev?.commit === undefined ? [] : [`  dev  the uncommitted work tree, at ${url}/agent/dev`]),
    "",
    `${delay}.`,
    ...(hasConsole ? [`The console for browsers is at ${url}/`] : []),
    ...(isOpen ? OPEN : []),
    ...(hiddenData === undefined ? [] : [hiddenData]),
    ...(await firstCall(url, first, registry, isOpen)),
  ];
}

const NO_VERSIONS = [
  "",
  "A version is a commit with a tag: `v0.1.0` where its versions.yaml says `current: 0.1.0`. In the repository, `cairn validate` says",
  "whether its last commit can be one, and `cairn release --push` tags it. `cairn init my-agent` makes a repository to begin with.",
];

const OPEN = [
  "Callers need no token, so only this machine can reach it; `cairn token create` makes the first token, and changes that.",
];

/** A call that works without any network: the shortest example of a tool that needs none, of the runner if it has one. */
async function firstCall(
  url: string,
  segment: string,
  registry: Service["registry"],
  isOpen: boolean,
): Promise<readonly string[]> {
  const resolved = await registry.resolve(segment).catch(() => undefined);
  const calls = [...(resolved?.version.tools.values() ?? [])]
    .filter(({ uses }) => !uses.has("fetch") && !uses.has("mcp"))
    .flatMap(({ name, server, examples }) =>
      examples.map(({ input, error }) => ({ name, server, error, body: JSON.stringify(input) })),
    )
    .filter(({ error }) => error === undefined)
    .sort((a, b) => a.body.length - b.body.length);
  const isOwn = ({ server }: (typeof calls)[number]) => server !== "work" && server !== "tuner";
  const call = calls.find(({ server }) => server === "runner") ?? calls.find(isOwn) ?? calls[0];
  if (!call) return [];
  const token = isOpen ? "" : ` -H "authorization: Bearer $CAIRN_TOKEN"`;
  return [
    "",
    "A first call:",
    "",
    `  curl -s ${url}/agent/${segment}/api/tools/${call.name} -H 'content-type: application/json'${token} -d ${quoteShell(call.body)}`,
    "",
  ];
}
