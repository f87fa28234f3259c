import { FIXTURE_VERSION } from "../fixtures/tenants.ts";
import { toToolCall } from "./modern-mcp.ts";
import { type Answered, OWN_VERSION, type Tenants, type Who } from "./two-tenants.ts";

/** A tool as a version lists it. */
interface Listed {
  readonly version: string;
  readonly server: string;
  readonly name: string;
  readonly session: string;
  readonly inputSchema: { readonly properties?: Readonly<Record<string, { type?: string; enum?: unknown }>> };
  readonly examples: readonly { readonly input: object }[];
}

/** What both agents have, as one who may use everything sees it. */
export interface Everything {
  readonly tools: readonly Listed[];
  readonly resources: readonly { readonly version: string; readonly server: string; readonly uri: string }[];
  /** With one variable: an id. */
  readonly templates: Everything["resources"];
}

export async function findEverything({ rest, modern }: Tenants): Promise<Everything> {
  const versions = await Promise.all(
    [OWN_VERSION, FIXTURE_VERSION].map(async (version) => {
      const { body } = await rest("ada", `/agent/${version}/api/tools`);
      const { tools } = body as { tools: Omit<Listed, "version">[] };
      const list = async (server: string, method: string) => {
        const answer = await modern("ada", version, server, { method });
        const [{ result }] = JSON.parse(answer.text) as [{ result?: Record<string, Record<string, string>[]> }];
        return Object.values(result ?? {}).find(Array.isArray) ?? [];
      };
      const servers = [...new Set(tools.map(({ server }) => server))];
      const of = (property: string, method: string) =>
        Promise.all(
          servers.map(async (server) =>
            (await list(server, method)).map((item) => ({ version, server, uri: item[property] ?? "" })),
          ),
        );
      const [resources, templates] = await Promise.all([
        of("uri", "resources/list"),
        of("uriTemplate", "resources/templates/list"),
      ]);
      return { tools: tools.map((tool) => ({ ...tool, version })), resources, templates };
    }),
  );
  return {
    tools: versions.flatMap(({ tools }) => tools),
    resources: versions.flatMap(({ resources }) => resources.flat()),
    templates: versions.flatMap(({ templates }) => templates.flat()).filter(({ uri }) => /^[^{]*\{\w+\}$/.test(uri)),
  };
}

/** An input that takes `text`, where the tool takes a text at all. */
export function toInput({ inputSchema: { properties = {} }, examples }: Listed, text: string): object {
  const isFree = ([name, { type, enum: values }]: [string, { type?: string; enum?: unknown }]) =>
    type === "string" && values === undefined && name !== "conversation_id";
  const [name] = Object.entries(properties).find(isFree) ?? [];
  return { ...examples[0]?.input, ...(name === undefined ? {} : { [name]: text }) };
}

export type Way = "rest" | "modern" | "legacy";

export function callBy(
  { rest, modern, legacy }: Tenants,
  way: Way,
  who: Who,
  { version, server, name }: Listed,
  input: object,
): Promise<Answered> {
  if (way === "rest") return rest(who, `/agent/${version}/api/tools/${name}`, input);
  if (way === "modern") return modern(who, version, server, toToolCall(name, input));
  return legacy(who, version, server, { method: "tools/call", params: { name, arguments: input } });
}

export const WAYS: readonly Way[] = ["rest", "modern", "legacy"];

/** Every way of asking for what an id names. */
export function waysToAsk(
  tenants: Tenants,
  { tools, templates }: Everything,
  who: Who,
  id: string,
): (() => Promise<Answered>)[] {
  const { addressOf, modern, legacy } = tenants;
  const ref = { type: "ref/resource", uri: "session://{conversation_id}" };
  const completion = { ref, argument: { name: "conversation_id", value: id } };
  return [
    ...templates.flatMap(({ version, server, uri: template }) => {
      const uri = template.replace(/\{\w+\}/, id);
      return [
        () => modern(who, version, server, { method: "resources/read", params: { uri } }),
        () => legacy(who, version, server, { method: "resources/read", params: { uri } }),
      ];
    }),
    ...tools
      .filter(({ session }) => session === "stateful")
      .flatMap((tool) =>
        WAYS.map((way) => () => callBy(tenants, way, who, tool, { ...toInput(tool, "probe"), conversation_id: id })),
      ),
    () => modern(who, FIXTURE_VERSION, "runner", { method: "completion/complete", params: completion }),
    () => legacy(who, FIXTURE_VERSION, "talker", { method: "ping", session: id }),
    ...["GET", "DELETE"].map((method) => async () => {
      const headers = { authorization: who, accept: "application/json, text/event-stream", "mcp-session-id": id };
      const response = await fetch(addressOf(FIXTURE_VERSION, "talker"), { method, headers });
      return { status: response.status, text: await response.text() };
    }),
  ];
}

/** Everything that a caller can read of a version, or of both, without naming what it looks for. */
export async function readEverything(
  { modern, rest }: Tenants,
  { resources }: Everything,
  who: Who,
  only?: string,
): Promise<string> {
  const within = resources.filter(({ version }) => only === undefined || version === only);
  const lists = [
    ...within.map(({ version, server, uri }) =>
      modern(who, version, server, { method: "resources/read", params: { uri } }),
    ),
    ...[...new Set(within.map(({ version }) => version))].flatMap((version) => [
      ...["tools/list", "prompts/list", "resources/list", "resources/templates/list"].map((method) =>
        modern(who, version, "runner", { method }),
      ),
      ...["", "/openapi.json", "/api/tools"].map((path) => rest(who, `/agent/${version}${path}`)),
      rest(who, `/versions/${version}`),
    ]),
  ];
  return (await Promise.all(lists)).map(({ text }) => text).join("\n");
}
