import { CairnError } from "../../errors.ts";
import { foldName } from "../../text/fold-name.ts";
import { WORKSPACE_LIMITS } from "./limits.ts";

/**
 * The names a path of a workspace goes through. Rejects with BAD_REQUEST, naming the reason, what could mean another
 * place to any system that the repository is ever checked out on, or a place that git keeps for itself.
 */
export function checkPath(path: string): readonly string[] {
  const reason = findPathFault(path);
  if (reason !== undefined) throw refusePath(path, reason);
  return path.split("/");
}

/** Finds the reason why a path cannot be in a workspace; `undefined` when it can. */
export function findPathFault(path: string): string | undefined {
  if (path === "") return "it is empty";
  if (!path.isWellFormed()) return "it is not well-formed Unicode";
  if (Buffer.byteLength(path) > WORKSPACE_LIMITS.pathBytes) {
    return `it is longer than ${WORKSPACE_LIMITS.pathBytes} bytes`;
  }
  // Cc: control characters. Cf: characters nobody sees, some of which file systems leave out of names.
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(path)) return "it has a character that cannot be seen";
  // What git and Node put in the place of bytes that are no UTF-8.
  if (path.includes("\u{FFFD}")) return "it has a replacement character";
  if (path.includes("\\")) return "it has a backslash; names are separated by `/`";
  if (path.startsWith("/")) return "it is absolute; paths begin at the workspace's root";
  if (path !== path.normalize("NFC")) return "it is not in Unicode normalisation form C";
  const names = path.split("/");
  if (names.length > WORKSPACE_LIMITS.depth) return `it is deeper than ${WORKSPACE_LIMITS.depth} folders`;
  return names.map(findNameFault).find((fault) => fault !== undefined);
}

export function refusePath(path: string, reason: string): CairnError {
  return new CairnError("BAD_REQUEST", `The path ${quote(path)} is refused: ${reason}.`, {
    details: { path: path.toWellFormed().slice(0, WORKSPACE_LIMITS.pathBytes), reason },
  });
}

/** A path in backquotes, with everything that could hide or forge something in a message escaped. */
export function quote(path: string): string {
  const shown = JSON.stringify(path.toWellFormed().slice(0, 200)).slice(1, -1);
  return `\`${shown.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}`]/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`)}\``;
}

function findNameFault(name: string): string | undefined {
  if (name === "") return "it has an empty name between slashes, or at its end";
  if (name === "." || name === "..") return `it has \`${name}\` in it`;
  if (Buffer.byteLength(name) > WORKSPACE_LIMITS.nameBytes) {
    return `it has a name longer than ${WORKSPACE_LIMITS.nameBytes} bytes`;
  }
  // Windows opens `.git::$INDEX_ALLOCATION` and `git~1` as `.git`, and leaves out dots and spaces at the end.
  const plain = foldName(name)
    .replace(/:.*$/su, "")
    .replace(/[. ]+$/u, "");
  if (plain === ".git" || /^git~\d+$/u.test(plain)) return "it leads into git's own folder";
  if (/[. ]$/u.test(name)) return "it has a name that ends with a dot or a space";
  return undefined;
}
