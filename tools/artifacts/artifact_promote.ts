import type { Handler } from "../../server/host-api.ts";
import { hasMethods } from "../_lib/artifacts/artifact.ts";
import { toLayer } from "../_lib/artifacts/layer.ts";
import { promote, type PromisedExample, type PromotedFile } from "../_lib/artifacts/promote.ts";
import { type NamedArtifact, readArtifactId } from "../_lib/artifacts/read-artifact-id.ts";
import { loadRevision, requireHead } from "../_lib/artifacts/store.ts";
import { findExample } from "../_lib/artifacts/validate.ts";

interface Input extends NamedArtifact {
  readonly revision?: number;
  readonly examples?: readonly PromisedExample[];
}

const artifactPromote: Handler<Input> = async (input, ctx) => {
  const { revision, examples = [] } = input;
  const name = readArtifactId(input, ctx);
  const { actor } = await ctx.principal();
  const layer = toLayer(ctx);
  const head = await requireHead(ctx, layer, name, actor, "read");
  const record = await loadRevision(ctx, layer, name, revision ?? head.revision);
  const { interface: spoken, language, code } = record;
  // A tool is TypeScript, which reads a few lines of JavaScript differently.
  if (language === "javascript" && (await readAsTypeScript()) !== code) {
    throw ctx.fail("UNPROCESSABLE", `The code of \`${name}\` means something else when it is read as TypeScript.`);
  }
  const made: PromisedExample[] = [...examples];
  const methods =
    spoken === undefined ? [] : hasMethods(spoken) ? Object.entries(spoken.methods) : [["", spoken] as const];
  for (const [method, { inputSchema }] of methods) {
    const named = method === "" ? {} : { method };
    if (made.some((example) => (example.method ?? "") === method)) continue;
    const example = await findExample(ctx, inputSchema);
    if (example !== undefined) made.push({ ...named, input: Object(example.value) });
  }
  const promoted = promote({ ...record, name, owner: head.owner, permissions: head.permissions }, made);
  if ("problem" in promoted) throw ctx.fail("UNPROCESSABLE", `${promoted.problem}.`);
  const feedback = toFeedback(name, promoted.files);
  return {
    artifact_id: name,
    name,
    revision: record.revision,
    files: promoted.files,
    ...(feedback === undefined ? {} : { feedback }),
  };

  async function readAsTypeScript(): Promise<string | undefined> {
    const compiled = await ctx.artifacts.compile({ name, modules: { "artifact.ts": code }, entry: "artifact.ts" });
    return compiled.modules["artifact.js"];
  }
};

export default artifactPromote;

/** Length of the Architect's longest message; longer files have to be proposed in another way. */
const MESSAGE_LENGTH = 20_000;

/** The message that has the Architect put the files into the repository; undefined when they are too long for one. */
function toFeedback(name: string, files: readonly PromotedFile[]): string | undefined {
  const diff = files.map(({ path, content }) => toNewFile(path, content)).join("");
  const message = `The artifact \`${name}\` becomes a tool. Apply this diff:\n\n\`\`\`diff\n${diff}\`\`\`\n`;
  return message.length > MESSAGE_LENGTH ? undefined : message;
}

function toNewFile(path: string, content: string): string {
  const isEnded = content.endsWith("\n");
  const lines = (isEnded ? content.slice(0, -1) : content).split("\n").map((line) => `+${line}\n`);
  const end = isEnded ? "" : "\\ No newline at end of file\n";
  return `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines.length} @@\n${lines.join("")}${end}`;
}
