import { HOST_API_VERSION } from "../../host-api.ts";
import type { Problem } from "../problem.ts";
import { createProblem } from "./create-problem.ts";
import type { Parts } from "./parts.ts";
import { START } from "./position.ts";
import type { Survey } from "./survey.ts";

/** Checks that all files exist that others need, and none that nothing needs. */
export function checkFiles({ files, paths }: Survey, parts: Parts): readonly Problem[] {
  const problems: Problem[] = [];
  const servers = new Set<string>();
  for (const [path, { kind }] of files) {
    if (kind.kind === "tool") {
      servers.add(kind.server);
      checkTool(path, `tools/${kind.server}/${kind.stem}.ts`);
    } else if (kind.kind === "handler") checkHandler(path, kind.server, kind.stem);
  }
  if (!paths.has("versions.yaml")) problems.push(missingHistory());
  if (!paths.has("manifests/agent.yaml")) problems.push(missingAgent());
  for (const server of servers) {
    require(`manifests/${server}/server.yaml`, `Add it, with \`name: ${server}\` and a \`description\`.`);
  }
  return problems;

  function require(path: string, fix: string): void {
    if (!paths.has(path)) problems.push(missing(path, fix));
  }

  function checkTool(path: string, handler: string): void {
    if (paths.has(handler)) return;
    const message = `The handler \`${handler}\` is missing.`;
    const fix = "Add it, with the handler as default export.";
    const problem = parts.tools.get(path)?.problem("handler-missing", ["name"], message, fix);
    problems.push(problem ?? createProblem(path, START, "handler-missing", message, fix));
  }

  function checkHandler(path: string, server: string, stem: string): void {
    const manifest = `manifests/${server}/${stem}.yaml`;
    const isOther = files.get(manifest)?.kind.kind === "workflow";
    if (!paths.has(manifest) || isOther) {
      const message = `No tool uses this handler: \`${manifest}\` is ${isOther ? "a workflow" : "missing"}.`;
      const fix = `${isOther ? "Move it to the folder of a server" : "Add the manifest"}; code that handlers share goes to \`tools/_lib\` or \`tools/${server}/_${stem}.ts\`.`;
      problems.push(createProblem(path, START, "handler-unused", message, fix));
    } else if (parts.modules.get(path)?.hasDefault === false) {
      const fix = "Write `export default (input, ctx) => ...`.";
      problems.push(createProblem(path, START, "handler-export", "The handler has no default export.", fix));
    }
  }
}

export function missingAgent(): Problem {
  const fix = `Add it, with a \`name\`, a \`description\` and \`hostApi: ${HOST_API_VERSION}\`.`;
  return missing("manifests/agent.yaml", fix);
}

export function missingHistory(): Problem {
  return missing("versions.yaml", "Add it, with `current: 0.1.0` and that version under `versions`.");
}

function missing(path: string, fix: string): Problem {
  return createProblem(path, START, "missing-file", `\`${path}\` is missing.`, fix);
}
