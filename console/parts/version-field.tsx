import { type SubmitEvent, useId } from "react";
import { useSearchParams } from "wouter";
import { words } from "#words/parts.ts";

const VERSION = "version";

/** The version that the address names; without one the newest that is stable. */
export function useVersion(): string {
  const [search] = useSearchParams();
  return search.get(VERSION) ?? "latest";
}

/** Chooses the version of the page, which its address then names. */
export function VersionField() {
  const id = useId();
  const version = useVersion();
  const [, setSearch] = useSearchParams();
  const choose = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const chosen = new FormData(event.currentTarget).get(VERSION);
    if (typeof chosen === "string" && chosen.trim() !== "") {
      setSearch((before) => ({ ...Object.fromEntries(before), [VERSION]: chosen.trim() }));
    }
  };
  return (
    <form className="choice" onSubmit={choose}>
      <label htmlFor={id}>{words.version}</label>
      <input
        key={version}
        id={id}
        name={VERSION}
        defaultValue={version}
        required
        autoComplete="off"
        spellCheck={false}
        title={words.versionWhy}
      />
      <button type="submit">{words.show}</button>
    </form>
  );
}
