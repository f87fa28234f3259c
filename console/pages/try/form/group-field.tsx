import type { ComponentType } from "react";
import { words } from "#words/try.ts";
import { isObject, listProperties, listRequired } from "../../../parts/schema.ts";
import { Text } from "../../../parts/text.tsx";
import { toInitial } from "./choose-kind.ts";
import type { FieldProps } from "./field-props.ts";

/** Asks for the members of an object. One that may be left out is asked for when the reader wants to give it. */
export function GroupField(props: FieldProps & { readonly Field: ComponentType<FieldProps> }) {
  const { name, schema, root, isRequired, depth, value, onChange, Field } = props;
  const { description } = schema;
  const isGiven = isRequired || isObject(value);
  const members = isObject(value) ? value : {};
  const required = new Set(listRequired(schema));
  const change = (member: string, to: unknown) => {
    const { [member]: _, ...others } = members;
    onChange(to === undefined ? others : { ...members, [member]: to });
  };
  return (
    <fieldset>
      <legend>
        <Text>{name}</Text> {isRequired && <span className="badge">{words.required}</span>}
      </legend>
      {typeof description === "string" && (
        <div className="limit">
          <Text block>{description}</Text>
        </div>
      )}
      {isGiven &&
        listProperties(schema, root).map(([member, of]) => (
          <Field
            key={member}
            name={member}
            schema={of}
            root={root}
            isRequired={required.has(member)}
            depth={depth + 1}
            value={Object.hasOwn(members, member) ? members[member] : undefined}
            onChange={(to) => change(member, to)}
          />
        ))}
      {!isRequired && (
        <button type="button" onClick={() => onChange(isGiven ? undefined : (toInitial(schema, root) ?? {}))}>
          <Text>{isGiven ? words.leaveOut(name) : words.give(name)}</Text>
        </button>
      )}
    </fieldset>
  );
}
