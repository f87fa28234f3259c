import { memberOf } from "./manifest-values.ts";
import type { ChangedManifest, Overreach } from "./overreach.ts";

/** State that a server would share with others, and what its resources would show that they do not now. */
export function findServerOverreach(server: string, { path, before, after }: ChangedManifest): readonly Overreach[] {
  if (after === undefined) return [];
  const [old, young] = [before?.["state"], after["state"]];
  const shown = new Set(listProviders(before));
  const providers = listProviders(after)
    .filter((provider) => !shown.has(provider))
    .map((provider): Overreach => {
      const message = `The server \`${server}\` would show \`${provider}\`.`;
      const sentence = `Show the provider \`${provider}\` in the server \`${server}\`.`;
      const words = [["provider"], [provider], [server]];
      return { rule: "server", path, message, ask: { sentence, words } };
    });
  if (young === undefined || young === old) return providers;
  const message = `The server \`${server}\` would have the state \`${String(young)}\`, and has ${old === undefined ? "its own" : `\`${String(old)}\``}.`;
  const sentence = `Give the server \`${server}\` the state \`${String(young)}\`.`;
  const words = [["state"], [server], [String(young)]];
  return [{ rule: "server", path, message, ask: { sentence, words } }, ...providers];
}

/** Views of the running service that its resources and prompts show. */
function listProviders(server: ChangedManifest["before"]): readonly string[] {
  const found = new Set<string>();
  const todo: unknown[] = [server?.["resources"], server?.["prompts"]];
  while (todo.length > 0) {
    const part = todo.pop();
    const provider = memberOf(part, "provider");
    if (typeof provider === "string") found.add(provider);
    if (typeof part === "object" && part !== null) todo.push(...Object.values(part));
  }
  return [...found];
}
