import { useState } from "react";
import { words } from "#words/parts.ts";
import { Text } from "./text.tsx";

/** Says how to do on the command line what the page does. A page has one, near its end. */
export function CommandBox({ commands }: { readonly commands: readonly string[] }) {
  return (
    <aside className="commands" aria-label={words.commandLine}>
      <h2>{words.commandLine}</h2>
      {commands.map((command) => (
        <Copyable key={command} text={command} />
      ))}
    </aside>
  );
}

/** A line of code with a button that copies it. */
export function Copyable({ text }: { readonly text: string }) {
  const [state, setState] = useState<"ready" | "copied" | "failed">("ready");
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setState("copied"),
      () => setState("failed"),
    );
  };
  return (
    <div className="copyable">
      <pre>
        <code>
          <Text>{text}</Text>
        </code>
      </pre>
      <button type="button" onClick={copy} aria-label={`${words.copy}: ${text}`}>
        {words.copyStates[state]}
      </button>
      <span role="status" className="unseen">
        {state === "ready" ? "" : words.copyStates[state]}
      </span>
    </div>
  );
}
