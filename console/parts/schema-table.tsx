import { useMemo } from "react";
import { words } from "#words/schemas.ts";
import { listMembers } from "./list-members.ts";
import type { Schema } from "./schema.ts";
import { Text } from "./text.tsx";

/** Draws a JSON Schema for people: a line for each member, with those within it below. `of` names what has the schema. */
export function SchemaTable({ schema, of }: { readonly schema: Schema; readonly of: string }) {
  const members = useMemo(() => listMembers(schema), [schema]);
  if (members.length === 0) return <p className="quiet">{words.noMembers}</p>;
  return (
    <table>
      <caption className="unseen">{words.caption(of)}</caption>
      <thead>
        <tr>
          <th scope="col">{words.name}</th>
          <th scope="col">{words.type}</th>
          <th scope="col">{words.description}</th>
        </tr>
      </thead>
      <tbody>
        {members.map(({ path, type, isRequired, limits, description }, place) => (
          // Members of two alternatives may share a path.
          // oxlint-disable-next-line react/no-array-index-key
          <tr key={`${place} ${path}`}>
            <th scope="row">
              <code>
                <Text>{path}</Text>
              </code>{" "}
              {isRequired && <span className="badge">{words.required}</span>}
            </th>
            <td>
              <Text>{type}</Text>
              {limits.map((limit) => (
                <div key={limit} className="limit">
                  <Text>{limit}</Text>
                </div>
              ))}
            </td>
            <td>{description !== undefined && <Text block>{description}</Text>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
