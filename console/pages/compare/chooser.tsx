import { useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useId, useState } from "react";
import { useLocation } from "wouter";
import { words } from "#words/compare.ts";
import { newestVersions, pullRequests, toVersionName } from "../../service/versions.ts";
import { toCompareAddress } from "../../parts/addresses.ts";

/** Asks which two versions, or heads of pull requests, to compare. It proposes the newest; any other name may be written. */
export function Chooser(given: { readonly from: string; readonly to: string }) {
  const id = useId();
  const [, navigate] = useLocation();
  const [from, setFrom] = useState(given.from);
  const [to, setTo] = useState(given.to);
  const newest = useQuery(newestVersions).data?.versions ?? [];
  const heads = useQuery(pullRequests).data?.versions ?? [];
  const names = new Set([...newest, ...heads].map(toVersionName));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    navigate(toCompareAddress(from.trim(), to.trim()));
  };
  return (
    <form className="buttons" onSubmit={submit}>
      <label htmlFor={`${id}-from`}>{words.from}</label>
      <input
        id={`${id}-from`}
        list={`${id}-names`}
        required
        autoComplete="off"
        value={from}
        onChange={({ target }) => setFrom(target.value)}
      />
      <label htmlFor={`${id}-to`}>{words.to}</label>
      <input
        id={`${id}-to`}
        list={`${id}-names`}
        required
        autoComplete="off"
        value={to}
        onChange={({ target }) => setTo(target.value)}
      />
      <datalist id={`${id}-names`}>
        {[...names].map((name) => (
          <option key={name}>{name}</option>
        ))}
      </datalist>
      <button type="submit" className="primary">
        {words.compare}
      </button>
    </form>
  );
}
