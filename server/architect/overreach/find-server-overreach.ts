import { memberOf } from "./manifest-values.ts";
import type { ChangedManifest, Overreach } from "./overreach.ts";

/** State that a server would share with others, and what its resources would show that they do not now. */
export function findServerOverreach(server: string, { path, before, after }: ChangedManifest): readonly Overreach[] {
  if (after === undefined) return [];
  const [old, young] = [before?.["state"], after["state"]];
  const shown = new Set(listProviders(before).map(({ provider }) => provider));
  const resources = listProviders(after)
    .filter(({ provider }) => !shown.has(provider))
    .map(({ uri, provider }): Overreach => {
      const message = `The server \`${server}\` would show \`${provider}\` at \`${uri}\`.`;
      const sentence = `Add the resource \`${provider}\` to the server \`${server}\`.`;
      const words = [["resource", "resources"], [provider], [server]];
      return { rule: "server", path, message, ask: { sentence, words } };
    });
  if (young === undefined || young === old) return resources;
  const message = `The server \`${server}\` would have the state \`${String(young)}\`, and has ${old === undefined ? "its own" : `\`${String(old)}\``}.`;
  const sentence = `Give the server \`${server}\` the state \`${String(young)}\`.`;
  const words = [["state"], [server], [String(young)]];
  return [{ rule: "server", path, message, ask: { sentence, words } }, ...resources];
}

function listProviders(server: ChangedManifest["before"]): readonly { uri: string; provider: string }[] {
  const resources = server?.["resources"];
  return (Array.isArray(resources) ? resources : []).flatMap((resource: unknown) => {
    const provider = memberOf(resource, "provider");
    const uri = memberOf(resource, "uri") ?? memberOf(resource, "uriTemplate");
    return typeof provider === "string" ? [{ uri: String(uri), provider }] : [];
  });
}
