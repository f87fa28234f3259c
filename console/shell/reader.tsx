import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { words } from "#words/shell.ts";
import { loadPerson, savePerson } from "../service/person.ts";
import { SESSION, type Session, useSignIn } from "../service/session.ts";
import { Text } from "../parts/text.tsx";

/** Says who the reader is here, and signs the reader out. */
export function Reader({ session }: { readonly session: Session }) {
  const signIn = useSignIn();
  if (!session.needs_token) return <Person />;
  return (
    <div className="reader">
      <Text>{toReaderName(session)}</Text>
      <button type="button" onClick={() => signIn.mutate(undefined)}>
        {words.signOut}
      </button>
    </div>
  );
}

/** Names a reader by actor and tenant. */
export function toReaderName({ actor = "", tenant = "" }: Session): string {
  return `${actor}, ${tenant}`;
}

/** The name that a reader goes by where nobody needs a token: it stands in records, and lets one approve what another did. */
function Person() {
  const client = useQueryClient();
  const [name, setName] = useState(loadPerson);
  return (
    <label className="reader" title={words.personWhy}>
      {words.person}
      <input
        value={name}
        placeholder={words.nobody}
        pattern="[A-Za-z0-9][A-Za-z0-9._@\-]{0,63}"
        autoComplete="off"
        onChange={({ target }) => {
          setName(target.value);
          if (target.validity.valid) savePerson(target.value);
        }}
        onBlur={() => void client.invalidateQueries({ queryKey: [SESSION] })}
      />
    </label>
  );
}
