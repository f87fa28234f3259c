import { createTextIndex, type TextIndex } from "../../../capabilities/knowledge/create-text-index.ts";
import type { Skipped } from "../../../capabilities/knowledge/load-texts.ts";
import type { Redactor } from "../../../log/redact.ts";
import { isPartOfVersion } from "../../../versions/tree.ts";
import type { Ground } from "../planner.ts";
import type { ModelLimits } from "./model-limits.ts";
import { throwIfGivenUp } from "./throw-if-given-up.ts";

/** Texts of the commit that the model may read, with credentials masked. */
export interface Reading {
  /** Paths that can be read: what plans may change but fixtures, and of this what versions are made of first. */
  readonly files: readonly string[];
  /** Undefined where there is no such file, or none that may be read. */
  read(path: string): Promise<string | undefined>;
  index(): Promise<TextIndex>;
}

/** What plans may change, and nothing else: only this is shown and searched. Fixtures of tests hold what nobody wrote for it. */
const SHOWN = /^(?:manifests|tools|schemas|test|docs)\/|^versions\.yaml$/;
const FIXTURES = /(?:^|\/)(?:fixtures?|corpus|__snapshots__)\//;
/** Names of files that hold keys or settings of other programs, rather than what is served. */
const PRIVATE =
  /(?:^|\/)(?:\.[^/]+|[^/]*\.(?:pem|key|p12|pfx|jks|keystore)|id_(?:rsa|dsa|ecdsa|ed25519)[^/]*)(?:\/|$)/i;
export function openReading(ground: Ground, redactor: Redactor, limits: ModelLimits): Reading {
  const open = ground.files.filter((path) => SHOWN.test(path) && !FIXTURES.test(path) && !PRIVATE.test(path));
  const files = [...open.filter(isPartOfVersion), ...open.filter((path) => !isPartOfVersion(path))];
  const known = new Set(files);
  let index: Promise<TextIndex> | undefined;
  const openIndex = () => (index ??= createIndex());
  return { files, read, index: openIndex };

  async function read(path: string): Promise<string | undefined> {
    if (!known.has(path)) return undefined;
    const text = await ground.readText(path);
    return text === undefined ? undefined : redactor.text(text);
  }

  async function createIndex(): Promise<TextIndex> {
    const texts = new Map<string, string>();
    const skipped: Skipped[] = [];
    let left = limits.searchedCharacters;
    for (const path of files) {
      throwIfGivenUp(ground.signal);
      const text = texts.size < limits.searchedFiles ? await read(path) : undefined;
      if (text === undefined || text.length > left) skipped.push({ path, reason: "is not searched" });
      else {
        left -= text.length;
        texts.set(path, text);
      }
    }
    return createTextIndex({ texts, skipped });
  }
}
