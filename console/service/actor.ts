import { loadPerson } from "./person.ts";
import type { Session } from "./session.ts";

/** Name of the reader in what is done now. Where nobody needs a token, that is the name at the top, as it is at this moment. */
export function toActor({ needs_token: needsToken, actor = "" }: Session): string {
  const person = needsToken ? "" : loadPerson();
  return person === "" ? actor : person;
}
