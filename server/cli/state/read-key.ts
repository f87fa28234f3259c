import { CairnError } from "../../errors.ts";
import type { StateKey } from "../../host-api.ts";

/** Reads a key of handlers, as JSON. @throws BAD_REQUEST */
export function readKey(name: string, text: string): StateKey {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value) && value.every((part) => typeof part === "string" || typeof part === "number"))
      return value;
  } catch {
    // The message below is the better one.
  }
  const message = `\`${name}\` must be a key as JSON, a list of strings and numbers such as '["ticket", 7]'; it is \`${text.slice(0, 200)}\`.`;
  throw new CairnError("BAD_REQUEST", message);
}
