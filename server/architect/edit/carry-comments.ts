import { isMap, isPair, isSeq, parseDocument } from "yaml";
import { canonicalJson } from "../../json/canonical-json.ts";
import { findIn, type Path } from "./edit-json.ts";
import { dashOf, withComments } from "./remove-item.ts";
import {
  apply,
  colonOf,
  endOf,
  eolOf,
  isCollection,
  isFlow,
  itemsOf,
  lineEnd,
  lineStart,
  startOf,
  type TextEdit,
} from "./yaml-places.ts";

/** The comment above a key or an item, or behind it on its line, and where it stands or would stand. */
interface Comment {
  readonly path: Path;
  readonly side: "above" | "behind";
  readonly from: number;
  readonly to: number;
  /** Lines without what stands before them. */
  readonly lines: readonly string[];
}

/**
 * Brings comments into `text` that were added, changed or taken away between `before` and `after`, where `text` still has
 * what `before` had. All three are YAML.
 */
export function carryComments(text: string, before: string, after: string): string {
  const [old, now] = [findComments(before), findComments(after)];
  const [values, wanted]: unknown[] = [parseDocument(text).toJS(), parseDocument(after).toJS()];
  const edits = [...findComments(text)].flatMap(([key, comment]): readonly TextEdit[] => {
    const [was, is] = [old.get(key)?.lines ?? [], now.get(key)?.lines];
    if (is === undefined || isSame(is, was) || !isSame(comment.lines, was)) return [];
    const { path, side, from, to } = comment;
    // The position of an item says which one it is only as long as that is the same one.
    const isItem = path.some((step) => typeof step === "number");
    if (isItem && canonicalJson(findIn(values, path)) !== canonicalJson(findIn(wanted, path))) return [];
    if (side === "behind") return [{ from, to, text: is.length === 0 ? "" : ` ${is.join("")}` }];
    const pad = " ".repeat(text.slice(to).search(/[^ ]/));
    return [{ from, to, text: is.map((line) => `${pad}${line}${eolOf(text)}`).join("") }];
  });
  return edits.toSorted((one, other) => other.from - one.from).reduce(apply, text);
}

function findComments(text: string): ReadonlyMap<string, Comment> {
  const found = new Map<string, Comment>();
  const add = (side: Comment["side"], path: Path, from: number, to: number) => {
    const lines = text.slice(from, to).split("\n");
    const kept = lines.map((line) => line.trim()).filter((line) => line !== "");
    found.set(JSON.stringify([side, ...path]), { path, side, from, to, lines: kept });
  };
  const walk = (node: unknown, path: Path) => {
    if (!isCollection(node) || isFlow(node)) return;
    for (const [place, item] of itemsOf(node).entries()) {
      const isMember = isPair(item);
      const own: Path = [...path, isMember ? keyOf(item.key) : place];
      const at = isSeq(node) ? dashOf(text, node, item) : startOf(item);
      const line = lineStart(text, at);
      // The first key behind a dash shares its line with it, and so what is said above.
      if (text.slice(line, at).trim() === "") {
        add("above", own, withComments(text, at, place > 0 || at > line), line);
      }
      const value = isMember ? item.value : item;
      const isBlock = isCollection(value) && !isFlow(value);
      if (!isBlock || isMember) {
        const end = isBlock && isMember ? colonOf(text, item.key) : endOf(text, item);
        const rest = lineEnd(text, end);
        if (/^\s*(?:#|$)/.test(text.slice(end, rest))) add("behind", own, end, rest);
      }
      walk(value, own);
    }
  };
  const { contents } = parseDocument(text);
  if (isMap(contents)) walk(contents, []);
  return found;
}

function keyOf(key: unknown): string {
  return String(typeof key === "object" && key !== null && "value" in key ? key.value : key);
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, at) => line === other[at]);
}
