import { useState } from "react";
import { words } from "#words/compare.ts";
import type { Finding } from "../../service/differences.ts";
import type { ToolDefinition } from "../../service/tool-definitions.ts";
import { Json } from "../../parts/json.tsx";
import { Text } from "../../parts/text.tsx";
import { SideBySide } from "./side-by-side.tsx";

interface Props {
  readonly name: string;
  readonly findings: readonly Finding[];
  /** Absent: it is no tool, or there was none. */
  readonly before: ToolDefinition | undefined;
  readonly after: ToolDefinition | undefined;
}

/** One tool or other part of a version that differs: each finding with its example, and the definitions side by side. */
export function Subject({ name, findings, before, after }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <section>
      <h2>
        <Text>{name}</Text>
      </h2>
      <ul className="findings">
        {findings.map((finding, place) => (
          // Two findings may be alike, and their order never changes.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={`${place} ${finding.rule}`}>
            <One finding={finding} />
          </li>
        ))}
      </ul>
      {(before !== undefined || after !== undefined) && (
        <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
          <summary>
            <Text>{words.sides(name)}</Text>
          </summary>
          {isOpen && <SideBySide name={name} before={before} after={after} />}
        </details>
      )}
    </section>
  );
}

function One({ finding }: { readonly finding: Finding }) {
  const { rule, level, schemaRule, message, file, line, column, side, refusal, accepted } = finding;
  return (
    <>
      <p className="badges">
        <span className="badge" data-kind={level}>
          {words.levels[level]}
        </span>
        <code>
          <Text>{schemaRule === undefined ? rule : `${rule} (${schemaRule})`}</Text>
        </code>
      </p>
      <Text block>{message}</Text>
      <Value title={words.example} of={finding} member="value" />
      <Value title={words.exampleBefore} of={finding} member="before" />
      <Value title={words.exampleAfter} of={finding} member="after" />
      {refusal !== undefined && (
        <p>
          {words.refusal}: <Text>{refusal}</Text>
        </p>
      )}
      {accepted !== undefined && (
        <p>
          <Text>{`${words.accepted(accepted.by)} ${accepted.reason}`}</Text>
        </p>
      )}
      <p className="limit">
        {words.given(words[side])}:{" "}
        <code>
          <Text>{`${file}:${line}:${column}`}</Text>
        </code>
      </p>
    </>
  );
}

interface ValueProps {
  readonly title: string;
  readonly of: Finding;
  readonly member: "value" | "before" | "after";
}

function Value({ title, of, member }: ValueProps) {
  if (!Object.hasOwn(of, member)) return null;
  return (
    <div>
      <span className="limit">{title}</span>
      <Json value={of[member]} />
    </div>
  );
}
