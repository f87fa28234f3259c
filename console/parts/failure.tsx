import { words } from "#words/parts.ts";
import { ServiceError } from "../service/request.ts";
import { Text } from "./text.tsx";

/** Shows why a part of a page could not be had, and what would be right, in the words of the service. */
export function Failure({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const isRefused = error instanceof ServiceError;
  return (
    <div role="alert" className="failure">
      <strong>{isRefused ? <Text>{error.problem.title}</Text> : words.failed}</strong>
      <p>
        <Text>{error instanceof Error ? error.message : String(error)}</Text>
      </p>
      {isRefused && (
        <p className="quiet">
          {error.problem.name} {error.problem.code}
        </p>
      )}
      {retry !== undefined && (
        <button type="button" onClick={retry}>
          {words.retry}
        </button>
      )}
    </div>
  );
}
