import { isAlias, parseDocument, visit } from "yaml";
import { canonicalJson } from "../../json/canonical-json.ts";
import { CairnError } from "../../errors.ts";
import type { Json } from "../../store/store.ts";
import { carryComments } from "./carry-comments.ts";
import { editYaml } from "./edit-yaml.ts";
import { type Contradiction, mergeValues } from "./merge-values.ts";
import { toEdits } from "./to-edits.ts";

/** Three texts of one file: as it was, and as two sides have made it. */
export interface Texts {
  readonly before: string;
  readonly ours: string;
  readonly theirs: string;
}

export type MergedYaml =
  | { readonly kind: "merged"; readonly text: string }
  | { readonly kind: "contradiction"; readonly contradictions: readonly Contradiction[] }
  /** One of them is no YAML whose keys can be told apart, or cannot be changed in place. */
  | { readonly kind: "unknown" };

/**
 * Merges two changes of a YAML file by key. `lines` is what a merge by line has come to, where that found no conflict: it
 * is taken where it says what the merge by key says, and else `ours` is changed in place, whose comments stay.
 */
export function mergeYaml({ before, ours, theirs }: Texts, lines: string | undefined): MergedYaml {
  const [was, one, other] = [readPlain(before), readPlain(ours), readPlain(theirs)];
  if (was === undefined || one === undefined || other === undefined) return { kind: "unknown" };
  const { value, contradictions } = mergeValues(was, one, other);
  if (contradictions.length > 0) return { kind: "contradiction", contradictions };
  if (value === undefined) return { kind: "unknown" };
  if (lines !== undefined && isSame(readPlain(lines), value)) return { kind: "merged", text: lines };
  try {
    const text = carryComments(toEdits(one, value).reduce(editYaml, ours), before, theirs);
    return isSame(readPlain(text), value) ? { kind: "merged", text } : { kind: "unknown" };
  } catch (error) {
    if (!(error instanceof CairnError) || error.name !== "BAD_REQUEST") throw error;
    return { kind: "unknown" };
  }
}

function isSame(one: Json | undefined, other: Json): boolean {
  return one !== undefined && canonicalJson(one) === canonicalJson(other);
}

/** The value of a document in which no place stands for another one. */
function readPlain(text: string): Json | undefined {
  const document = parseDocument(text);
  if (document.errors.length > 0) return undefined;
  let isPlain = true;
  visit(document, {
    Node(_key, node) {
      if (!isAlias(node) && node.anchor === undefined) return undefined;
      isPlain = false;
      return visit.BREAK;
    },
  });
  return isPlain ? (document.toJS() as Json) : undefined;
}
