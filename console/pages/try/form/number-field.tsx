import { useEffect, useRef, useState } from "react";
import { words } from "#words/try.ts";
import { isExact } from "./exact-numbers.ts";

interface Props {
  readonly id: string;
  readonly describedBy: string;
  readonly isRequired: boolean;
  readonly isInteger: boolean;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

/** Asks for a number. Its form cannot be sent while the browser would change the number. */
export function NumberField({ id, describedBy, isRequired, isInteger, value, onChange }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [draft, setDraft] = useState(typeof value === "number" ? String(value) : "");
  const wrong = draft === "" || isExact(draft) ? "" : words.inexact(draft);
  useEffect(() => input.current?.setCustomValidity(wrong), [wrong]);
  const change = (text: string) => {
    setDraft(text);
    onChange(text !== "" && isExact(text) ? Number(text) : undefined);
  };
  return (
    <>
      <input
        ref={input}
        id={id}
        aria-describedby={describedBy}
        aria-required={isRequired}
        aria-invalid={wrong !== ""}
        type="number"
        step={isInteger ? 1 : "any"}
        value={draft}
        onChange={({ target }) => change(target.value)}
      />
      {wrong !== "" && <span className="wrong">{wrong}</span>}
    </>
  );
}
