import { words } from "#words/parts.ts";
import { Text } from "./text.tsx";

/** Lines that are shown: a browser draws more only slowly, and people read fewer. */
const MAX_LINES = 3_000;

/** Shows a unified diff. What was added and removed is told by its sign, and by colour. */
export function Diff({ text }: { readonly text: string }) {
  const lines = text.trimEnd().split("\n");
  return (
    <>
      <pre className="diff">
        {lines.slice(0, MAX_LINES).map((line, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- Lines may be alike, and none ever moves.
          <code key={at} data-kind={toKind(line)}>
            <Text>{line}</Text>
            {"\n"}
          </code>
        ))}
      </pre>
      {lines.length > MAX_LINES && <p className="quiet">{words.cut(MAX_LINES, lines.length)}</p>}
    </>
  );
}

function toKind(line: string): "head" | "added" | "removed" | "same" {
  if (/^(?:diff |index |@@|\+\+\+ |--- )/.test(line)) return "head";
  if (line.startsWith("+")) return "added";
  return line.startsWith("-") ? "removed" : "same";
}
