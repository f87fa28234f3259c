import { words } from "#words/uses.ts";
import type { Usage } from "../service/answers.ts";
import { ColumnHeads } from "./column-heads.tsx";
import { Text } from "./text.tsx";
import { Time } from "./time.tsx";

interface Props {
  readonly caption: string;
  readonly uses: Usage["uses"];
}

/** Callers of a version: what each used, and when last. */
export function UsesTable({ caption, uses }: Props) {
  if (uses.length === 0) return <p>{words.nobody}</p>;
  return (
    <table>
      <caption>
        <Text>{caption}</Text>
      </caption>
      <ColumnHeads names={[words.caller, words.use, words.calls, words.reads, words.lastUse]} />
      <tbody>
        {uses.map(({ actor, client, address, tool, method, calls, failed, reads, last_use: last }) => (
          <tr key={[actor, client, address, tool, method].join(" ")}>
            <th scope="row">
              <Text>{actor}</Text>
              {client !== undefined && (
                <div className="limit">
                  <Text>{client}</Text>
                </div>
              )}
            </th>
            <td>
              <Text>{tool ?? method ?? ""}</Text>
            </td>
            <td>
              {calls}
              {failed > 0 && (
                <div className="limit">
                  {words.failed}: {failed}
                </div>
              )}
            </td>
            <td>{reads}</td>
            <td>
              <Time at={last} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
