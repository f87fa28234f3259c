import type { ComponentType } from "react";
import { words } from "#words/try.ts";
import { toSchema } from "../../../parts/schema.ts";
import { Text } from "../../../parts/text.tsx";
import { chooseKind, type Kind, toInitial } from "./choose-kind.ts";
import type { FieldProps } from "./field-props.ts";

/** Values that new items begin with, where the schema has no default. */
const EMPTY: Readonly<Partial<Record<Kind, unknown>>> = { text: "", object: {}, list: [], boolean: false };

/** Asks for the items of a list, one after the other. */
export function ListField(props: FieldProps & { readonly Field: ComponentType<FieldProps> }) {
  const { name, schema, root, isRequired, depth, value, onChange, Field } = props;
  const { description } = schema;
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const of = toSchema(schema["items"], root);
  const kind = chooseKind(of, root, depth + 1);
  const change = (list: readonly unknown[]) => onChange(list.length === 0 && !isRequired ? undefined : list);
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
      {items.map((item, place) => (
        // Items have no names, and their fields keep nothing that would move with them but what is in the list.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={`${place} of ${items.length}`} className="item">
          <Field
            name={words.item(name, place + 1)}
            schema={of}
            root={root}
            isRequired
            depth={depth + 1}
            value={item ?? undefined}
            onChange={(to) => change(items.with(place, to ?? null))}
          />
          <button type="button" onClick={() => change(items.toSpliced(place, 1))}>
            {words.remove}
            <span className="unseen">
              <Text>{` ${words.item(name, place + 1)}`}</Text>
            </span>
          </button>
        </div>
      ))}
      <button type="button" onClick={() => change([...items, toInitial(of, root) ?? EMPTY[kind] ?? null])}>
        <Text>{words.addTo(name)}</Text>
      </button>
    </fieldset>
  );
}
