import { readHostApi } from "../../pipeline/verify/make-project.ts";

const HOST_API = "server/host-api.ts";

/** One member of the handler's context: its comment and its declaration. */
interface Member {
  readonly name: string;
  readonly text: string;
}

/**
 * Finds the types of the host API that code uses: the members of `ctx` that it names, with their comments, and the declarations
 * of the capabilities behind them. Empty where it uses none.
 */
export async function findHostTypes(codes: readonly string[]): Promise<string> {
  const api = new Map(await readHostApi());
  const text = api.get(HOST_API) ?? "";
  const code = codes.join("\n");
  const used = listMembers(text).filter(({ name }) => new RegExp(`\\bctx\\s*\\.\\s*${name}\\b`).test(code));
  if (used.length === 0) return "";
  const signatures = used.map((member) => member.text);
  const needs = [...code.matchAll(/import\s+type\s*\{([^}]*)\}\s*from\s*["'][^"']*\bhost-api(?:\.ts)?["']/g)];
  const words = new Set([...signatures, ...needs.map(([, names = ""]) => names)].join("\n").match(/\b[A-Z]\w+/g));
  const files = [...text.matchAll(/import type \{([^}]*)\} from "\.\/(capabilities\/[^"]+)"/g)].flatMap(
    ([, names = "", file = ""]) => ((names.match(/\w+/g) ?? []).some((name) => words.has(name)) ? [file] : []),
  );
  // What a capability declares of its syscalls is no affair of handlers.
  const declared = [...new Set(files)].flatMap((file) =>
    (api.get(`server/${file}`) ?? "").split("\n\n").filter((part) => /^export (?:interface|type) /m.test(part)),
  );
  return [`interface Context {\n${signatures.join("\n")}\n}`, ...declared].join("\n\n");
}

/** Takes `interface Context` apart. */
function listMembers(text: string): readonly Member[] {
  const body = /export interface Context \{\n([^]*?)\n\}/.exec(text)?.[1] ?? "";
  const members: Member[] = [];
  let lines: string[] = [];
  for (const line of body.split("\n")) {
    lines.push(line);
    if (!line.endsWith(";")) continue;
    const own = lines.join("\n");
    const [, name] = /^ {2}(?:readonly )?(\w+)\s*[<(:?]/m.exec(own.replaceAll(/^ *\/?\*.*$/gm, "")) ?? [];
    if (name !== undefined) members.push({ name, text: own });
    lines = [];
  }
  return members;
}
