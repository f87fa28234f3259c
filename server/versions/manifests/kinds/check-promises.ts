import { type Syscall, SYSCALLS, GRANTS } from "../../../capabilities/declarations.ts";
import type { JsonSchema } from "../../../host-api.ts";
import { isObject } from "../../../json/is-object.ts";
import type { Problem } from "../../problem.ts";
import { BROKEN_BY } from "../../promises.ts";
import type { Manifest } from "../manifest.ts";
import type { Path } from "../yaml/locate.ts";
import type { ToolContent } from "./tool-content.ts";

const CONVERSATION = "conversation_id";

/** Checks that the promises of a tool fit its `uses`. */
export function checkPromises({ content, problem }: Manifest<ToolContent>): readonly Problem[] {
  const {
    deterministic,
    sideEffect,
    tenantScoped,
    session,
    uses = [],
    egress = [],
    upstreams = [],
    input,
    output,
  } = content;
  const problems: Problem[] = [];
  uses.forEach((syscall, index) => {
    if (deterministic && BROKEN_BY.deterministic.has(syscall)) {
      const message = `A deterministic tool cannot use \`${syscall}\`, which may answer differently each time.`;
      add(["uses", index], message, `Remove \`${syscall}\`, or \`deterministic: true\`.`);
    }
    if (!sideEffect && BROKEN_BY["no side effect"].has(syscall)) {
      const message = `The tool uses \`${syscall}\`, but says that it has no side effect.`;
      add(["uses", index], message, "Add `sideEffect: true`.");
    }
    if (tenantScoped === false && BROKEN_BY["no tenant"].has(syscall)) {
      const message = `The tool uses \`${syscall}\`, which is a tenant's own, but says that it is not scoped to tenants.`;
      add(["uses", index], message, `Remove \`${syscall}\`, or \`tenantScoped: false\`.`);
    }
  });
  if (egress.length > 0 && !uses.includes("fetch")) {
    const message = "The tool names hosts, but does not use `fetch`.";
    add(["egress"], message, "Add `fetch` to `uses`, or remove `egress`.", "key");
  }
  if (upstreams.length > 0 !== uses.includes("mcp")) {
    const [key, message, fix] =
      upstreams.length > 0
        ? ([
            "upstreams",
            "The tool names upstreams, but does not use `mcp`.",
            "Add `mcp` to `uses`, or remove `upstreams`.",
          ] as const)
        : (["uses", "The tool uses `mcp`, but names no upstream.", "Name those it calls under `upstreams`."] as const);
    add([key], message, fix, "key");
  }
  if (session !== "stateful") return problems;
  if (!uses.includes("session")) {
    add(["session"], "A stateful tool remembers nothing without `session`.", "Add `session` to `uses`.");
  }
  if (!hasProperty(input)) {
    const message = `A stateful tool takes \`${CONVERSATION}\` to go on with a conversation.`;
    add(["input"], message, `Add \`${CONVERSATION}\` to the properties of \`input\`.`, "key");
  }
  const required: unknown = output["required"];
  if (!hasProperty(output) || !Array.isArray(required) || !required.includes(CONVERSATION)) {
    const message = `A stateful tool returns \`${CONVERSATION}\`.`;
    const fix = `Add \`${CONVERSATION}\` to \`properties\` and \`required\` of \`output\`.`;
    add(["output"], message, fix, "key");
  }
  return problems;

  function add(path: Path, message: string, fix: string, part: "key" | "value" = "value"): void {
    problems.push(problem("tool-contradiction", path, message, fix, part));
  }
}

function hasProperty({ properties }: JsonSchema): boolean {
  return isObject(properties) && Object.hasOwn(properties, CONVERSATION);
}

/** Grants that put questions to the caller's side. */
const ASKING: ReadonlySet<Syscall> = new Set(SYSCALLS.filter((word) => "asks" in GRANTS[word]));

/** Checks that a tool that asks its caller declares so, and promises nothing that the answer decides. */
export function checkInteractive({ content, problem }: Manifest<ToolContent>): readonly Problem[] {
  const { deterministic, interactive, uses = [] } = content;
  if (interactive && deterministic) {
    const message = "A deterministic tool cannot ask its caller, who may answer differently each time.";
    return [
      problem("tool-interactive", ["interactive"], message, "Remove `interactive: true`, or `deterministic: true`."),
    ];
  }
  if (interactive) return [];
  return uses.flatMap((syscall, index) => {
    if (!ASKING.has(syscall)) return [];
    const message = `The tool uses \`${syscall}\`, but does not say that it may ask its caller something.`;
    return [problem("tool-interactive", ["uses", index], message, "Add `interactive: true`.")];
  });
}
