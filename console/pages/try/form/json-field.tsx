import { useEffect, useRef, useState } from "react";
import { words } from "#words/try.ts";
import { isObject } from "../../../parts/schema.ts";
import { findInexact } from "./exact-numbers.ts";

interface Props {
  readonly id: string;
  readonly describedBy: string;
  readonly isRequired: boolean;
  readonly value: unknown;
  /** Says that only an object will do. */
  readonly isObjectOnly?: boolean;
  readonly onChange: (value: unknown) => void;
}

const INDENT = 2;
const LINES = { min: 3, max: 24 };

/** Asks for a value as JSON. Its form cannot be sent while the text is none. */
export function JsonField({ id, describedBy, isRequired, value, isObjectOnly = false, onChange }: Props) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [draft, setDraft] = useState(() => (value === undefined ? "" : JSON.stringify(value, undefined, INDENT)));
  const wrong = findWrong(draft, isObjectOnly);
  useEffect(() => area.current?.setCustomValidity(wrong), [wrong]);
  const change = (text: string) => {
    setDraft(text);
    if (findWrong(text, isObjectOnly) === "") onChange(parse(text)?.value);
  };
  return (
    <>
      <textarea
        ref={area}
        id={id}
        aria-describedby={describedBy}
        aria-required={isRequired}
        aria-invalid={wrong !== ""}
        className="code"
        spellCheck={false}
        rows={Math.min(LINES.max, Math.max(LINES.min, draft.split("\n").length))}
        value={draft}
        onChange={({ target }) => change(target.value)}
      />
      {wrong !== "" && <span className="wrong">{wrong}</span>}
    </>
  );
}

/** Says what is wrong with a draft; empty: nothing is. */
function findWrong(text: string, isObjectOnly: boolean): string {
  const parsed = parse(text);
  if (parsed === undefined) return words.notJson;
  if (isObjectOnly && !isObject(parsed.value)) return words.notObject;
  const inexact = findInexact(text);
  return inexact === undefined ? "" : words.inexact(inexact);
}

/** Parses a draft; an empty one is a value that is not given, and `undefined` is no JSON. */
function parse(text: string): { readonly value: unknown } | undefined {
  if (text.trim() === "") return { value: undefined };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
