import { useId } from "react";
import { words } from "#words/try.ts";
import { Text } from "../../../parts/text.tsx";
import { chooseKind } from "./choose-kind.ts";
import type { FieldProps } from "./field-props.ts";
import { GroupField } from "./group-field.tsx";
import { JsonField } from "./json-field.tsx";
import { ListField } from "./list-field.tsx";
import { type InputProps, PlainField } from "./plain-field.tsx";

/** Asks for one value, by the field that its schema needs. */
export function Field(props: FieldProps) {
  const { schema, root, depth } = props;
  const kind = chooseKind(schema, root, depth);
  if (kind === "object") return <GroupField {...props} Field={Field} />;
  if (kind === "list") return <ListField {...props} Field={Field} />;
  return <Labelled {...props} kind={kind} />;
}

function Labelled({ kind, ...props }: FieldProps & { readonly kind: InputProps["kind"] | "json" }) {
  const id = useId();
  const { name, schema, isRequired, value, onChange } = props;
  const { title, description } = schema;
  const given = { id, describedBy: `${id}-hint`, isRequired, value, onChange };
  return (
    <div className="field">
      <label htmlFor={id}>
        <Text>{typeof title === "string" ? `${title} (${name})` : name}</Text>{" "}
        {isRequired && <span className="badge">{words.required}</span>}
      </label>
      {kind === "json" ? <JsonField {...given} /> : <PlainField {...given} kind={kind} schema={schema} />}
      <div id={`${id}-hint`} className="limit">
        {kind === "json" && <p>{words.writeJson}</p>}
        {typeof description === "string" && <Text block>{description}</Text>}
      </div>
    </div>
  );
}
