import type { Problem } from "../../problem.ts";
import { type Syscall, SYSCALLS, GRANTS } from "../../../capabilities/declarations.ts";
import type { Manifest } from "../manifest.ts";
import type { ToolContent } from "./tool-content.ts";

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
