import { type SubmitEvent, useId, useState } from "react";
import { words } from "#words/shell.ts";
import { type Session, useSignIn } from "../service/session.ts";
import { CommandBox } from "../parts/command-box.tsx";
import { Failure } from "../parts/failure.tsx";
import { Heading } from "../parts/heading.tsx";
import { ProviderSignIn } from "./provider-sign-in.tsx";

const COMMANDS = ["cairn token create --tenant <tenant> --actor <name> --scopes '*' --roles <role>"];

/** Leads to the provider, if there is one, or asks for a token, which the service then keeps in a cookie that no script can read. */
export function SignIn({ provider, ended }: Pick<Session, "provider" | "ended">) {
  const id = useId();
  const [token, setToken] = useState("");
  const signIn = useSignIn();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    signIn.mutate(token.trim());
  };
  return (
    <main id="main" className="sign-in">
      <Heading>{words.signIn}</Heading>
      {ended === true && (
        <p role="status" className="warning">
          {words.ended}
        </p>
      )}
      {provider === undefined ? (
        <p>{words.signInWhy}</p>
      ) : (
        <>
          <p>{words.signInWithWhy}</p>
          <ProviderSignIn name={provider} />
          <h2>{words.tokenInstead}</h2>
        </>
      )}
      <form onSubmit={submit}>
        <label htmlFor={id}>{words.token}</label>
        <input
          id={id}
          type="password"
          autoComplete="off"
          spellCheck={false}
          required
          value={token}
          onChange={({ target }) => setToken(target.value)}
        />
        <button type="submit" className={provider === undefined ? "primary" : undefined} disabled={signIn.isPending}>
          {words.signIn}
        </button>
      </form>
      {signIn.isError && <Failure error={signIn.error} />}
      <p className="quiet">{words.signInKept}</p>
      <CommandBox commands={COMMANDS} />
    </main>
  );
}
