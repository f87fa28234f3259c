import { isDeepStrictEqual } from "node:util";
import type { Alarms } from "../mirror/alarms.ts";
import type { Revocations } from "../mirror/revocations.ts";
import type { Problem } from "../problem.ts";
import type { RegistryEvent } from "./registry-types.ts";
import type { Verdicts } from "./verdicts.ts";
import { isQuarantined, type TaggedVersion, toRecord, type VersionIndex } from "./version-index.ts";

/** Tells those who listen what happens to versions. */
export interface RegistryEvents {
  emit(event: RegistryEvent): void;
  /** Tells what has become of a version, unless that was told before: it may become something else when others come and go. */
  tell(version: TaggedVersion): void;
  /** Returns "stop". */
  subscribe(listener: (event: RegistryEvent) => void): () => void;
}

export function createRegistryEvents(given: {
  readonly index: () => VersionIndex;
  readonly verdicts: Pick<Verdicts, "get">;
  readonly onError: (error: unknown) => void;
}): RegistryEvents {
  const listeners = new Set<(event: RegistryEvent) => void>();
  const told = new Map<string, "added" | "quarantined">();

  function emit(event: RegistryEvent): void {
    for (const listener of listeners) {
      try {
        listener(event);
      } catch (error) {
        given.onError(error);
      }
    }
  }

  return Object.freeze<RegistryEvents>({
    emit,
    tell(version) {
      const verdict = given.verdicts.get(version.commit);
      const record = toRecord(given.index(), version, verdict);
      const kind = isQuarantined(version, verdict) ? "quarantined" : "added";
      const name = `${version.tag} ${version.commit}`;
      if (told.get(name) === kind) return;
      told.set(name, kind);
      emit({ kind, record });
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  });
}

type Emit = RegistryEvents["emit"];

export function tellAlarms(before: Alarms, now: Alarms, emit: Emit): void {
  for (const [tag, alarm] of now) if (before.get(tag) !== alarm) emit({ kind: "alarm", tag, alarm });
  for (const tag of before.keys()) if (!now.has(tag)) emit({ kind: "alarm-over", tag });
}

/** Tells which versions are missing, where they are others than before. */
export function tellMissing(before: VersionIndex["missing"], missing: VersionIndex["missing"], emit: Emit): void {
  const isSame = before.size === missing.size && [...missing.keys()].every((name) => before.has(name));
  if (!isSame) emit({ kind: "missing", missing });
}

type Revoking = Pick<Revocations, "current" | "problems">;

export function tellRevocations(before: Revoking, { current: revoked, problems }: Revoking, emit: Emit): void {
  if (before.current !== revoked) emit({ kind: "revoked", revoked });
  const isInDoubt = before.problems.length + problems.length > 0;
  if (isInDoubt && before.problems !== problems) emit({ kind: "revoked-in-doubt", problems });
}

export function tellLabelProblems(before: readonly Problem[], problems: readonly Problem[], emit: Emit): void {
  if (!isDeepStrictEqual(before, problems)) emit({ kind: "label-problems", problems });
}
