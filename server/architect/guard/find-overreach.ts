import { isObject } from "../../json/is-object.ts";
import { readYaml } from "../../versions/manifests/yaml/read-yaml.ts";
import { toKind } from "../../versions/manifests/to-kind.ts";
import { findPolicyApprovals, findToolApprovals, findWorkflowApprovals } from "./find-approval-overreach.ts";
import { findExperimentOverreach, findHistoryOverreach, findServerOverreach } from "./find-manifest-overreach.ts";
import { findPolicyOverreach } from "./find-policy-overreach.ts";
import { findTestOverreach } from "./find-test-overreach.ts";
import { findLimitOverreach, findToolOverreach } from "./find-tool-overreach.ts";
import type { ChangedFile, Manifest, Overreach, OverreachGround } from "./overreach.ts";

/**
 * Everything in which the files would reach further than before: authority, limits, tenancy, what keeps secrets, and what
 * promises are held to. Changed manifests are read as they are written; one that cannot be read counts as empty, so the
 * loader has to take them besides. Pure.
 */
export function findOverreach(files: readonly ChangedFile[], ground: OverreachGround): readonly Overreach[] {
  return files.flatMap((file) => {
    if (file.before === file.after) return [];
    return [...findDeletion(file), ...findOfKind(file, ground)];
  });
}

function findOfKind(file: ChangedFile, ground: OverreachGround): readonly Overreach[] {
  const { path } = file;
  if (path.startsWith("test/")) return findTestOverreach(file);
  // As in a tree without a server called `workflows`: adding one would have all workflows be gone.
  const kind = toKind(path, new Set());
  const before = file.before === undefined ? undefined : read(path, file.before);
  const after = file.after === undefined ? undefined : read(path, file.after);
  switch (kind.kind) {
    case "tool":
      return [
        ...findToolApprovals(String(after?.["name"] ?? path), { path, before, after }),
        ...findToolOverreach({ path, before, after }, ground),
      ];
    case "policy":
      return [
        ...findPolicyApprovals(kind.name, { path, before, after }, ground),
        ...findPolicyOverreach(kind.name, { path, before, after }),
      ];
    case "upstream":
      return [toChangeOverreach("upstream", kind.name, path, "have calls go to another server, or take other answers")];
    case "workflow":
      return [
        ...findWorkflowApprovals(kind.name, { path, before, after }),
        toChangeOverreach("workflow", kind.name, path, WORKFLOW),
      ];
    case "parameters":
      return findExperimentOverreach(kind.name, { path, before, after });
    case "server":
      return findServerOverreach(kind.server, { path, before, after });
    case "agent":
      return findLimitOverreach("agent", path, limitsOf(before), limitsOf(after), ground.limits);
    case "versions":
      return findHistoryOverreach({ path, before, after });
    default:
      return [];
  }
}

/** Deleted tools and tests have findings of their own, which say more. */
function findDeletion({ path, before, after }: ChangedFile): readonly Overreach[] {
  if (before === undefined || after !== undefined || path.startsWith("test/")) return [];
  const words = [
    ["delete", "remove", "drop"],
    [path, path.slice(path.lastIndexOf("/") + 1)],
  ];
  const ask = { sentence: `Delete the file \`${path}\`.`, words };
  return [{ rule: "deleted", path, message: `\`${path}\` would be deleted.`, ask }];
}

const WORKFLOW = "have work done, checked or approved in another way";

function toChangeOverreach(rule: "upstream" | "workflow", name: string, path: string, would: string): Overreach {
  const ask = { sentence: `Change the ${rule} \`${name}\`.`, words: [[rule, `${rule}s`], [name]] };
  return { rule, path, message: `\`${path}\` would ${would}.`, ask };
}

function limitsOf(agent: Manifest | undefined): unknown {
  const defaults = agent?.["defaults"];
  return isObject(defaults) ? defaults["limits"] : undefined;
}

function read(path: string, text: string): Manifest {
  const yaml = readYaml(path, text);
  return yaml.ok && isObject(yaml.value) ? yaml.value : {};
}
