import { type ReactNode, type SubmitEvent, useId, useState } from "react";
import { words } from "#words/try.ts";
import { isObject, listProperties, listRequired, type Schema, toSchema } from "../../../parts/schema.ts";
import { Field } from "./field.tsx";
import { JsonField } from "./json-field.tsx";

interface Props {
  readonly schema: Schema;
  readonly value: Readonly<Record<string, unknown>>;
  readonly onChange: (value: Readonly<Record<string, unknown>>) => void;
  readonly onSubmit: () => void;
  /** Its buttons. */
  readonly children: ReactNode;
}

/** A form made of a JSON Schema of objects, which the reader may also fill in as JSON. The service checks what is sent. */
export function SchemaForm({ schema, value, onChange, onSubmit, children }: Props) {
  const id = useId();
  const root = toSchema(schema, schema);
  const members = listProperties(root, schema);
  const [asJson, setAsJson] = useState(members.length === 0);
  const required = new Set(listRequired(root));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSubmit();
  };
  const change = (member: string, to: unknown) => {
    const { [member]: _, ...others } = value;
    onChange(to === undefined ? others : { ...value, [member]: to });
  };
  return (
    <form className="schema-form" onSubmit={submit}>
      {asJson ? (
        <div className="field">
          <label htmlFor={id}>{words.input}</label>
          <JsonField
            id={id}
            describedBy={`${id}-hint`}
            isRequired
            value={value}
            isObjectOnly
            onChange={(to) => onChange(isObject(to) ? to : {})}
          />
          <span id={`${id}-hint`} />
        </div>
      ) : (
        members.map(([name, of]) => (
          <Field
            key={name}
            name={name}
            schema={of}
            root={schema}
            isRequired={required.has(name)}
            depth={0}
            value={Object.hasOwn(value, name) ? value[name] : undefined}
            onChange={(to) => change(name, to)}
          />
        ))
      )}
      <div className="buttons">
        {children}
        {members.length > 0 && (
          <button type="button" onClick={() => setAsJson(!asJson)}>
            {asJson ? words.asForm : words.asJson}
          </button>
        )}
      </div>
    </form>
  );
}
