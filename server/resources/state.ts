import type { Provider } from "./provider.ts";

/** `state://assets`: the objects elsewhere that this server's manifest refers to. */
export const readAssets: Provider = async ({ version, server }) => ({
  version: version.semver,
  commit: version.commit,
  assets: server.resources
    .filter(({ source }) => source.kind === "link")
    .map(({ uri, name, description, mimeType }) => ({ uri, name, description, mimeType })),
});
