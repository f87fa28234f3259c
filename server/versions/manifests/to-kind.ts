import { PACKAGES_LOCK } from "./kinds/read-packages.ts";

/** The kinds of files that a version consists of. */
export type FileKind =
  | { readonly kind: "agent" | "versions" }
  | { readonly kind: "server"; readonly server: string }
  | { readonly kind: "tool"; readonly server: string; readonly stem: string }
  | { readonly kind: "parameters" | "policy" | "upstream" | "workflow"; readonly name: string }
  /** Code that handlers import. */
  | { readonly kind: "library" }
  | { readonly kind: "handler"; readonly server: string; readonly stem: string }
  /** A bundled package of npm; and the lock of all of them. */
  | { readonly kind: "package" }
  | { readonly kind: "packages" }
  /** Of no concern: schemas for editors, and files beside the code. */
  | { readonly kind: "other" }
  | { readonly kind: "unknown"; readonly reason: string; readonly fix: string };

/** Folders of `manifests/` whose files have a kind of their own; all others are servers. */
const FOLDERS: ReadonlyMap<string, "parameters" | "policy" | "upstream" | "workflow"> = new Map([
  ["upstreams", "upstream"],
  ["parameters", "parameters"],
  ["policies", "policy"],
  ["workflows", "workflow"],
]);

/** Kinds whose folder could be that of a server before they existed: it stays one in trees that declare one. */
const YOUNG: ReadonlySet<string> = new Set(["upstream", "workflow"]);

/** Finds the kind of the file at `path`, by the paths of its tree alone. */
export function toKind(path: string, paths: ReadonlySet<string>): FileKind {
  const [top = "", folder = "", name = "", ...deeper] = path.split("/");
  if (path === "versions.yaml") return { kind: "versions" };
  if (top === "manifests") return toManifestKind(path, folder, name, deeper.length > 0, paths);
  if (path === PACKAGES_LOCK) return { kind: "packages" };
  if (top === "tools") return toModuleKind(folder, name, deeper);
  return { kind: "other" };
}

function toManifestKind(
  path: string,
  folder: string,
  name: string,
  isDeeper: boolean,
  paths: ReadonlySet<string>,
): FileKind {
  if (path === "manifests/agent.yaml") return { kind: "agent" };
  if (path.endsWith(".yml")) return unknown("it ends with `.yml`", "Rename it, so that it ends with `.yaml`.");
  if (!path.endsWith(".yaml")) return unknown("it is not YAML", "Move it out of `manifests/`.");
  if (name === "") return unknown("it is in no folder", "Move it into the folder of a server.");
  if (isDeeper) return unknown("it is too deep", "Move it up: manifests are one folder deep.");
  const stem = name.slice(0, -".yaml".length);
  const kind = FOLDERS.get(folder);
  if (kind !== undefined && !(YOUNG.has(kind) && paths.has(`manifests/${folder}/server.yaml`))) {
    if (!/^[a-z][a-z0-9_-]{0,63}$/.test(stem)) {
      const fix = "Use lower-case letters, digits, `-` and `_`, after a letter.";
      return unknown("its name cannot be used by tools", fix);
    }
    return { kind, name: stem };
  }
  if (!/^[a-z][a-z0-9-]{0,63}$/.test(folder)) {
    const fix = "Name the folder with lower-case letters, digits and dashes, after a letter.";
    return unknown("its folder cannot be the name of a server", fix);
  }
  return stem === "server" ? { kind: "server", server: folder } : { kind: "tool", server: folder, stem };
}

function toModuleKind(folder: string, name: string, deeper: readonly string[]): FileKind {
  const file = deeper.at(-1) ?? (name === "" ? folder : name);
  const [, stem, extension] = /^(.+)\.([cm]?[jt]sx?)$/.exec(file) ?? [];
  const isTypes = file.endsWith(".d.ts") || (folder === "_deps" && /\.d\.[cm]ts$/.test(file));
  if (stem === undefined || extension === undefined || isTypes) return { kind: "other" };
  if (folder === "_deps" && extension === "js" && name !== "" && deeper.length === 0) return { kind: "package" };
  if (extension !== "ts") return unknown(`it ends with \`.${extension}\``, `Write TypeScript in \`${stem}.ts\`.`);
  if (folder === "_lib" && name !== "") return { kind: "library" };
  if (name === "" || deeper.length > 0) {
    const fix = "Move it to `tools/<server>/<tool>.ts`, or to `tools/_lib` when handlers share it.";
    return unknown("no handler can stand here", fix);
  }
  return stem.startsWith("_") ? { kind: "library" } : { kind: "handler", server: folder, stem };
}

function unknown(reason: string, fix: string): FileKind {
  return { kind: "unknown", reason, fix };
}
