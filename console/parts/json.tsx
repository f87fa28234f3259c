import { Text } from "./text.tsx";

const INDENT = 2;

/** Shows a JSON value, over several lines where it is an object or a list. */
export function Json({ value }: { readonly value: unknown }) {
  return (
    <pre className="json">
      <code>
        <Text>{JSON.stringify(value, undefined, INDENT)}</Text>
      </code>
    </pre>
  );
}
