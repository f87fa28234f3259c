import { isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { CairnError } from "../../errors.ts";
import { redact } from "./git.ts";

/** The repository that the mirror follows. */
export interface Upstream {
  /** As git takes it: an absolute path or a URL. */
  readonly address: string;
  /** Set when it is on this machine, so that its folder can be watched. */
  readonly path?: string;
  /** Without credentials, for people. */
  readonly shown: string;
  /** Names of the refs at which its host keeps the heads of proposals, with `*` in place of the number. Absent: none. */
  readonly proposals?: readonly string[];
  /** A token for it, where it is a URL and wants one: what was good last time, or another than one that was `refused`. */
  readonly loadToken?: (refused?: string) => Promise<string>;
}

const PROTOCOLS = new Set(["https", "ssh", "http", "git", "file"]);

/** Reads a path (relative to `base`), a URL, or ssh's short form `user@host:path`; anything else is BAD_REQUEST. */
export function readUpstream(text: string, base: string): Upstream {
  const shown = redact(text);
  const wrong = (why: string) => new CairnError("BAD_REQUEST", `The repository \`${shown}\` ${why}.`);
  // Git would take it for an option, and some options name programs to run.
  if (text.startsWith("-")) throw wrong("begins with `-`");
  // oxlint-disable-next-line no-control-regex
  if (text.trim() === "" || /[\u0000-\u001f]/.test(text)) throw wrong("is not an address");

  const protocol = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (protocol !== undefined) {
    if (!PROTOCOLS.has(protocol)) throw wrong(`is not one of ${[...PROTOCOLS].join(", ")}`);
    if (!URL.canParse(text)) throw wrong("is not a URL");
    if (protocol === "file") return local(fileURLToPath(text));
    // ssh would take such a host for an option.
    if (new URL(text).hostname.startsWith("-")) throw wrong("has a host that begins with `-`");
    return { address: text, shown };
  }
  // `ext::command` and its like run what they name.
  if (/^[a-z0-9]+::/i.test(text)) throw wrong("names a transport helper");
  const short = /^(?:[^/@:]+@)?([^/:]+):(?!\/\/)/.exec(text);
  if (short === null || isAbsolute(text)) return local(resolve(base, text));
  if (short[1]?.startsWith("-") === true) throw wrong("has a host that begins with `-`");
  return { address: text, shown };
}

/** Creates the error of a start without any copy of the repository. */
export function unreadable(upstream: Upstream, cause: unknown): CairnError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new CairnError("UPSTREAM_ERROR", `The repository \`${upstream.shown}\` cannot be read: ${why}`, { cause });
}

function local(path: string): Upstream {
  return { address: path, path, shown: path };
}
