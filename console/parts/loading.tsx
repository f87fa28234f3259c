import { words } from "#words/parts.ts";

/** Says that something is on its way. */
export function Loading() {
  return (
    <p role="status" className="quiet">
      {words.loading}
    </p>
  );
}
