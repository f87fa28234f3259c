import type { JsonSchema } from "../../../host-api.ts";
import { isObject } from "../../../is-object.ts";
import type { Problem } from "../../problem.ts";
import { type Syscall, SYSCALLS } from "../../version.ts";
import type { Manifest } from "../manifest.ts";
import type { Path } from "../yaml/locate.ts";
import type { ToolContent } from "./tool-content.ts";

/** What can answer differently from one call to the next; what a called tool does, that tool promises. */
const CHANGING: ReadonlySet<Syscall> = new Set<Syscall>(
  SYSCALLS.filter((syscall) => syscall !== "tools.list" && syscall !== "tools.call"),
);
/** What outlives the call. */
const LASTING: ReadonlySet<Syscall> = new Set<Syscall>(["session", "state.write"]);
const CONVERSATION = "conversation_id";

/** Whether what a tool says of itself fits what it uses. */
export function checkPromises({ content, problem }: Manifest<ToolContent>): readonly Problem[] {
  const { deterministic, sideEffect, session, uses = [], egress = [], input, output } = content;
  const problems: Problem[] = [];
  uses.forEach((syscall, index) => {
    if (deterministic && CHANGING.has(syscall)) {
      const message = `A deterministic tool cannot use \`${syscall}\`, which may answer differently each time.`;
      add(["uses", index], message, `Remove \`${syscall}\`, or \`deterministic: true\`.`);
    }
    if (!sideEffect && LASTING.has(syscall)) {
      const message = `The tool uses \`${syscall}\`, but says that it has no side effect.`;
      add(["uses", index], message, "Add `sideEffect: true`.");
    }
  });
  if (egress.length > 0 && !uses.includes("fetch")) {
    const message = "The tool names hosts, but does not use `fetch`.";
    add(["egress"], message, "Add `fetch` to `uses`, or remove `egress`.", "key");
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
