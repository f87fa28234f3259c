import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import type { Ground } from "../server/architect/planners/planner.ts";
import type { Check, FeedbackMessage, FileCheck } from "../test/evaluation/checks.ts";
import { createGround } from "../test/helpers/plan-ground.ts";
import { type Documents, EVALUATION } from "./judge-feedback.ts";

/** Agents that exist for training alone: manifests and messages, no code. */
export const TRAINING_AGENTS = ["library", "hotel", "energy"] as const;
const FOLDER = join(EVALUATION, "feedback/training");
const HANDLER = `import type { Handler } from "cairn-gitops/host-api";\n\nconst handle: Handler = async () => ({});\n\nexport default handle;\n`;
/** Kinds of messages that nothing comes of, by their letters. */
const KINDS: Readonly<Record<string, string>> = {
  q: "question",
  b: "bug",
  c: "code",
  n: "nothing",
  d: "condition",
  x: "negation",
  i: "injection",
  m: "missing",
  a: "already",
};

/** Loads an agent for training from its one file, which has all of its documents by their paths. */
export async function loadTrainingAgent(
  name: string,
): Promise<{ readonly ground: Ground; readonly before: Documents }> {
  const documents: Readonly<Record<string, unknown>> = parse(
    readFileSync(join(FOLDER, "agents", `${name}.yaml`), "utf8"),
  );
  const files = new Map(Object.entries(documents).map(([path, document]) => [path, stringify(document)]));
  for (const path of Object.keys(documents)) {
    const [, server, tool] = /^manifests\/([a-z_]+)\/([a-z_]+)\.yaml$/.exec(path) ?? [];
    if (server !== undefined && !["server", "parameters", "policies"].includes(tool ?? "") && !isSettings(server))
      files.set(`tools/${server}/${tool}.ts`, HANDLER);
  }
  return { ground: await createGround(files), before: new Map(Object.entries(documents)) };
}

function isSettings(folder: string): boolean {
  return folder === "parameters" || folder === "policies";
}

/** Reads the messages to an agent for training: a line each, what is wanted before ` | `, as the README there describes. */
export function readTrainingMessages(name: string, before: Documents): readonly FeedbackMessage[] {
  const lines = readFileSync(join(FOLDER, `${name}.txt`), "utf8").split("\n");
  return lines.flatMap((line, at): readonly FeedbackMessage[] => {
    const [, label, text] = /^(\S.*?) \| (.+)$/.exec(line) ?? [];
    if (label === undefined || text === undefined) return [];
    return [toMessage(`${name}-${at + 1}`, label, text.replaceAll("\\n", "\n"), before)];
  });
}

function toMessage(id: string, label: string, message: string, before: Documents): FeedbackMessage {
  const language = /\p{Script=Han}/u.test(message) ? "zh" : "en";
  const base = { id, family: "training", language, message, accept: [], part: "development" as const };
  const kind = KINDS[/^-(\w)$/.exec(label)?.[1] ?? ""];
  if (kind !== undefined) return { ...base, family: kind, expected: "reject", kind, checks: [] };
  if (label.startsWith("?")) {
    const checks = label.length > 1 ? toChecks(label.slice(1), before).checks : [];
    return { ...base, family: "ambiguous", expected: "ask", checks };
  }
  const [, experiment, arm] = /^\*(\S+) (\S+)$/.exec(label) ?? [];
  if (experiment !== undefined && arm !== undefined)
    return { ...base, expected: "tune", checks: [{ tune: { experiment, arm } }] };
  const parts = label.split(" & ").map((part) => toChecks(part, before));
  return {
    ...base,
    expected: "change",
    accept: ["approve"],
    checks: parts.flatMap(({ checks }) => checks),
    also: parts.flatMap(({ also }) => also),
  };
}

interface Wanted {
  readonly checks: readonly Check[];
  readonly also: readonly string[];
}

/** Reads what is wanted at one place: `tool/i/field/maximum=5`, `@set/parameters/x/default=1`, `!/roles/x+right`. */
function toChecks(label: string, before: Documents): Wanted {
  const [, thing = "", path = "", operator = "", rest = ""] =
    /^([^/=+~>]*)(\/[^=+~>-]*)?(~=|[=+~>-])?(.*)$/s.exec(label) ?? [];
  const file = toFile(thing, before);
  const pointer = path.replace(/^\/i\//, "/input/properties/").replace(/^\/o\//, "/output/properties/");
  const check = (op: FileCheck["op"], value?: unknown, at = pointer): FileCheck => ({
    file,
    path: at,
    op,
    ...(value === undefined ? {} : { value }),
  });
  const also = [`${file}#/examples`, ...(thing.startsWith("@") ? [`${file}#/experiment/arms`] : [])];
  switch (operator) {
    case "=":
      return pointer === "/deprecated"
        ? { checks: [check("matches", "^deprecated", "/description")], also }
        : { checks: [check("equals", toValue(rest))], also };
    case "~=":
      return { checks: [check("matches", rest)], also: [] };
    case "~":
      return path === ""
        ? { checks: [check("absent")], also: [...before.keys()].filter((one) => one !== file) }
        : { checks: [check("absent")], also: [...also, `${file}#/input/required`] };
    case ">":
      return toRename(file, pointer, rest);
    case "-":
      return pointer === "/examples"
        ? { checks: [check("excludes", pick(before, file, Number(rest)))], also: [] }
        : { checks: [check("excludes", toValue(rest))], also };
    default: {
      const [, type, value, more] =
        /^(string|integer|number|boolean|array)(?:=([^,]*))?((?:,\w+=\d+)*)$/.exec(rest) ?? [];
      return type !== undefined && /^\/input\/properties\/\w+$/.test(pointer)
        ? { checks: toField(check, pointer, type, value, more ?? ""), also }
        : /\/arms\/\w+$/.test(pointer)
          ? { checks: [check("equals", toValue(rest))], also }
          : { checks: [check("includes", toValue(rest))], also };
    }
  }
}

function toField(
  check: (op: FileCheck["op"], value?: unknown, at?: string) => FileCheck,
  pointer: string,
  type: string,
  value: string | undefined,
  more: string,
): readonly FileCheck[] {
  const bounds = more.split(",").flatMap((one) => {
    const [key = "", number = ""] = one.split("=");
    return key === "" ? [] : [check("equals", Number(number), `${pointer}/${key}`)];
  });
  return [
    check("present"),
    check("equals", type, `${pointer}/type`),
    ...(value === undefined ? [] : [check("equals", toValue(value), `${pointer}/default`)]),
    ...bounds,
  ];
}

function toRename(file: string, pointer: string, name: string): Wanted {
  const tool = /^(manifests\/[a-z_]+\/)/.exec(file)?.[1] ?? "";
  if (pointer === "")
    return {
      checks: [
        { file, path: "", op: "absent" },
        { file: `${tool}${name.split(".").at(-1) ?? ""}.yaml`, path: "", op: "present", new: true },
      ],
      also: ["manifests/policies/access.yaml", "manifests/policies/house.yaml"],
    };
  const fresh = pointer.replace(/[^/]+$/, name);
  return {
    checks: [
      { file, path: pointer, op: "absent" },
      { file, path: fresh, op: "present" },
    ],
    also: [
      `${file}#/examples`,
      `${file}#/input/required`,
      `${file}#/redact`,
      file.replace("manifests", "tools").replace(".yaml", ".ts"),
    ],
  };
}

function pick(before: Documents, file: string, at: number): unknown {
  const { examples = [] } = (before.get(file) ?? {}) as { examples?: readonly { description?: string }[] };
  const { description } = examples[at] ?? {};
  return { description };
}

function toFile(thing: string, before: Documents): string {
  if (thing === "agent") return "manifests/agent.yaml";
  if (thing === "#") return "versions.yaml";
  if (thing.startsWith("@")) return `manifests/parameters/${thing.slice(1)}.yaml`;
  if (thing === "!") return [...before.keys()].find((path) => path.startsWith("manifests/policies/")) ?? "";
  if (thing.startsWith("server:")) return `manifests/${thing.slice(7)}/server.yaml`;
  const found = [...before.keys()].find((path) => path.endsWith(`/${thing}.yaml`));
  if (found === undefined) throw new Error(`There is no tool ${thing}.`);
  return found;
}

function toValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
