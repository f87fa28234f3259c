import { useMemo } from "react";
import { words } from "#words/compare.ts";
import type { ToolDefinition } from "../../service/tool-definitions.ts";
import { Text } from "../../parts/text.tsx";
import { pairLines } from "./pair-lines.ts";

interface Props {
  readonly name: string;
  readonly before: ToolDefinition | undefined;
  readonly after: ToolDefinition | undefined;
}

const INDENT = 2;

/** The definitions of a tool in two versions, line by line; what differs is marked by a sign and a colour. */
export function SideBySide({ name, before, after }: Props) {
  const rows = useMemo(() => pairLines(toText(before), toText(after)), [before, after]);
  return (
    <table className="sides">
      <caption className="unseen">{words.sides(name)}</caption>
      <thead>
        <tr>
          <th scope="col">{words.before}</th>
          <th scope="col">{words.after}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) =>
          row.kind === "equal" ? (
            <tr key={row.at} className="limit">
              <td colSpan={2}>{words.same(row.count)}</td>
            </tr>
          ) : (
            <tr key={row.at}>
              <Cell line={row.left} sign={row.kind === "changed" ? "-" : " "} />
              <Cell line={row.right} sign={row.kind === "changed" ? "+" : " "} />
            </tr>
          ),
        )}
      </tbody>
    </table>
  );
}

function Cell({ line, sign }: { readonly line: string | undefined; readonly sign: string }) {
  return (
    <td data-sign={line === undefined ? undefined : sign}>
      {line !== undefined && (
        <code>
          {sign} <Text>{line}</Text>
        </code>
      )}
    </td>
  );
}

function toText(tool: ToolDefinition | undefined): string {
  return tool === undefined ? "" : JSON.stringify(tool, undefined, INDENT);
}
