import { mayUse, type Provider } from "./provider.ts";

/** `state://active`: which version answers here, and the parameter values that its calls run with. */
export const readActiveState: Provider = async ({ version, server, principal }) => ({
  agent: version.agent.name,
  version: version.semver,
  commit: version.commit,
  server: server.name,
  tools: server.tools
    .filter(({ name }) => mayUse({ version, principal }, name))
    .map(({ name, version: toolVersion }) => ({ name, version: toolVersion })),
  parameters: Object.fromEntries(
    [...version.parameters.values()].map(({ name, parameters }) => [
      name,
      Object.fromEntries([...parameters].map(([parameter, { default: value }]) => [parameter, value])),
    ]),
  ),
});

/** `state://assets`: the objects elsewhere that this server's manifest refers to. */
export const readAssets: Provider = async ({ version, server }) => ({
  version: version.semver,
  commit: version.commit,
  assets: server.resources
    .filter(({ source }) => source.kind === "link")
    .map(({ uri, name, description, mimeType }) => ({ uri, name, description, mimeType })),
});
