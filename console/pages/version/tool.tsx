import { useId } from "react";
import { Link, useSearchParams } from "wouter";
import { words as partWords } from "#words/parts.ts";
import { words } from "#words/version.ts";
import type { ToolDefinition } from "../../service/tool-definitions.ts";
import { toTryAddress } from "../../parts/addresses.ts";
import { Json } from "../../parts/json.tsx";
import { SchemaTable } from "../../parts/schema-table.tsx";
import { Text } from "../../parts/text.tsx";

interface Props {
  readonly version: string;
  readonly tool: ToolDefinition;
  readonly isServed: boolean;
}

/** One tool. The address says which of them is open, so that it can be sent to others. */
export function Tool({ version, tool, isServed }: Props) {
  const id = useId();
  const [search, setSearch] = useSearchParams();
  const isOpen = search.get("tool") === tool.name;
  const toggle = () => {
    const { tool: _, ...others } = Object.fromEntries(search);
    setSearch(isOpen ? others : { ...others, tool: tool.name }, { replace: true });
  };
  return (
    <li>
      <h4>
        <button type="button" className="opens" aria-expanded={isOpen} aria-controls={id} onClick={toggle}>
          <Text>{tool.title === undefined ? tool.name : `${tool.title} (${tool.name})`}</Text>
        </button>
        <span className="badge">
          <Text>{tool.version}</Text>
        </span>
      </h4>
      <div id={id} hidden={!isOpen}>
        {isOpen && <Opened version={version} tool={tool} isServed={isServed} />}
      </div>
    </li>
  );
}

function Opened({ version, tool, isServed }: Props) {
  const { name, server, description, deprecated, examples } = tool;
  return (
    <>
      <Text block>{description}</Text>
      {deprecated !== undefined && (
        <div className="notice" data-kind="unsure">
          <strong>{partWords.deprecated(deprecated.since, deprecated.sunset)}</strong>
          <Text block>{deprecated.reason}</Text>
          {deprecated.successor !== undefined && (
            <p>
              {partWords.successor}: <Text>{deprecated.successor}</Text>
            </p>
          )}
        </div>
      )}
      <p className="badges">
        {toFlags(tool).map((flag) => (
          <span key={flag} className="badge">
            <Text>{flag}</Text>
          </span>
        ))}
      </p>
      {isServed && (
        <p>
          <Link href={toTryAddress(version, server, name)}>
            {words.tryTool}
            <span className="unseen"> {name}</span>
          </Link>
        </p>
      )}
      <h5>{words.input}</h5>
      <SchemaTable schema={tool.inputSchema} of={words.input} />
      <h5>{words.output}</h5>
      <SchemaTable schema={tool.outputSchema} of={words.output} />
      {examples.length > 0 && <h5>{words.examples}</h5>}
      {examples.map((example, place) => (
        <Example
          // Two examples may be alike, and their order never changes.
          // oxlint-disable-next-line react/no-array-index-key
          key={place}
          example={example}
          {...(isServed ? { to: toTryAddress(version, server, name, place) } : {})}
        />
      ))}
    </>
  );
}

interface ExampleProps {
  readonly example: Readonly<Record<string, unknown>>;
  /** Address where it can be tried. */
  readonly to?: string;
}

function Example({ example, to }: ExampleProps) {
  const { description, input } = example;
  return (
    <div className="example">
      {typeof description === "string" && <Text block>{description}</Text>}
      <span className="limit">{words.given}</span>
      <Json value={input ?? {}} />
      {(["output", "matches", "error"] as const)
        .filter((kind) => example[kind] !== undefined)
        .map((kind) => (
          <div key={kind}>
            <span className="limit">{words.expects[kind]}</span>
            <Json value={example[kind]} />
          </div>
        ))}
      {to !== undefined && <Link href={to}>{words.tryExample}</Link>}
    </div>
  );
}

function toFlags(tool: ToolDefinition): readonly string[] {
  const { flags } = words;
  return [
    ...(["deterministic", "sideEffect", "idempotent"] as const).filter((flag) => tool[flag]).map((flag) => flags[flag]),
    ...(tool.session === "stateful" ? [flags.stateful] : []),
    ...tool.requiredCapabilities.map(words.needs),
  ];
}
