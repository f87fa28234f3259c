import { words } from "#words/try.ts";
import type { Schema } from "../../../parts/schema.ts";
import { toPlain } from "../../../parts/visible.ts";
import { listChoices, type Kind } from "./choose-kind.ts";
import { NumberField } from "./number-field.tsx";

export interface InputProps {
  readonly id: string;
  readonly describedBy: string;
  readonly kind: Exclude<Kind, "json" | "object" | "list">;
  readonly schema: Schema;
  readonly isRequired: boolean;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

/** Characters of a text up to which one line is enough. */
const ONE_LINE = 120;
const BOOLEANS = [
  { value: true, name: "true" },
  { value: false, name: "false" },
];

/** Asks for a text, a number, or one of a few values. An empty field is a value that is not given. */
export function PlainField({ id, describedBy, kind, schema, isRequired, value, onChange }: InputProps) {
  const common = { id, "aria-describedby": describedBy, "aria-required": isRequired };
  if (kind === "number") {
    const isInteger = schema["type"] === "integer";
    return <NumberField {...{ id, describedBy, isRequired, isInteger, value, onChange }} />;
  }
  if (kind === "text") {
    const text = {
      ...common,
      value: typeof value === "string" ? value : "",
      autoComplete: "off",
      onChange: ({ target }: { readonly target: { readonly value: string } }) =>
        onChange(target.value === "" && !isRequired ? undefined : target.value),
    };
    const isShort = typeof schema["maxLength"] === "number" && schema["maxLength"] <= ONE_LINE;
    return isShort || schema["format"] !== undefined ? (
      <input {...text} type="text" />
    ) : (
      <textarea {...text} rows={2} />
    );
  }
  const choices = kind === "boolean" ? BOOLEANS : listChoices(schema);
  const chosen = choices.findIndex((choice) => JSON.stringify(choice.value) === JSON.stringify(value));
  return (
    <select {...common} value={chosen} onChange={({ target }) => onChange(choices[Number(target.value)]?.value)}>
      <option value={-1}>{words.notGiven}</option>
      {choices.map((choice, place) => (
        <option key={choice.name} value={place}>
          {toPlain(choice.name)}
        </option>
      ))}
    </select>
  );
}
