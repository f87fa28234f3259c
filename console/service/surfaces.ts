import { queryOptions } from "@tanstack/react-query";
import { askMcp } from "./mcp.ts";

/** Prompts and resources of a server, as MCP lists them. */
export interface Surface {
  readonly prompts: readonly Prompt[];
  readonly resources: readonly Resource[];
}

export interface Prompt {
  readonly name: string;
  readonly description?: string;
  readonly arguments?: readonly { readonly name: string; readonly description?: string; readonly required?: boolean }[];
}

export interface Resource {
  /** Address, or the template of addresses. */
  readonly uri: string;
  readonly name: string;
  readonly description?: string;
  readonly mimeType?: string;
}

interface Discovery {
  readonly capabilities: { readonly prompts?: object; readonly resources?: object };
}

interface Lists {
  readonly prompts?: readonly Prompt[];
  readonly resources?: readonly Resource[];
  readonly resourceTemplates?: readonly (Omit<Resource, "uri"> & { readonly uriTemplate: string })[];
}

/** The prompts and resources of an MCP server, which only versions that answer have. */
export function serverSurface(version: string, server: string) {
  return queryOptions({
    queryKey: ["surface", version, server],
    async queryFn({ signal }): Promise<Surface> {
      const ask = <Result>(method: string) => askMcp<Result>({ version, server, method, signal });
      const { capabilities } = await ask<Discovery>("server/discover");
      const list = async (kind: "prompts" | "resources", method: string): Promise<Lists> =>
        capabilities[kind] === undefined ? {} : ask<Lists>(method);
      const [{ prompts = [] }, { resources = [] }, { resourceTemplates = [] }] = await Promise.all([
        list("prompts", "prompts/list"),
        list("resources", "resources/list"),
        list("resources", "resources/templates/list"),
      ]);
      const templates = resourceTemplates.map(({ uriTemplate, ...rest }) => ({ ...rest, uri: uriTemplate }));
      return { prompts, resources: [...resources, ...templates] };
    },
  });
}
