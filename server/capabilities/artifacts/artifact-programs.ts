import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { ArtifactProgram } from "./api.ts";
import { CairnError } from "../../errors.ts";
import type { ToolFacts } from "../../kernel/isolates/sandbox.ts";
import type { Principal } from "../../principal.ts";
import type { Limits, Program } from "../../versions/version.ts";

/** Limits of one run; no program can have more. */
export const ARTIFACT_LIMITS: Limits = Object.freeze({ time: 5_000, cpu: 500, memory: 32, payload: 262_144 });
/** Characters of the sources that are kept ready. */
const MAX_KEPT = 2 ** 23;
const PATH = /^[a-z][a-z0-9-]*\.js$/;

/** Grants that may differ from run to run of a program. */
export interface Granted {
  readonly clock: boolean;
  readonly random: boolean;
}

export interface LoadableProgram {
  readonly program: Program;
  /** One object for equal grants, as an isolate hears of each once. */
  factsOf(granted: Granted): ToolFacts;
}

/**
 * Programs by what they are made of and by who calls: what one keeps in variables of its modules is there neither for
 * another tenant nor for another caller. Throws BAD_REQUEST for paths that lead nowhere.
 */
export function createArtifactPrograms(): (program: ArtifactProgram, caller: Principal) => LoadableProgram {
  const kept = new LRUCache<string, LoadableProgram>({ maxSize: MAX_KEPT, sizeCalculation: toLength });
  return ({ name, modules, entry }, { tenant, actor }) => {
    const wrong = Object.keys(modules).find((path) => !PATH.test(path));
    if (wrong !== undefined || !Object.hasOwn(modules, entry)) {
      const what =
        wrong === undefined ? `there is no module \`${entry}\`` : `\`${wrong}\` is no path of a JavaScript module`;
      throw new CairnError("BAD_REQUEST", `\`ctx.artifacts\`: ${what}.`);
    }
    const key = hash("sha256", JSON.stringify(["artifact", tenant, actor, name, entry, Object.entries(modules)]));
    let known = kept.get(key);
    if (known === undefined) {
      const { memory } = ARTIFACT_LIMITS;
      // By whoever runs it, and not by what it is: another source is written in no time.
      const owner = JSON.stringify(["artifacts", tenant, actor]);
      const program = Object.freeze({ key, tenant, owner, modules: new Map(Object.entries(modules)), memory });
      kept.set(key, (known = { program, factsOf: createFacts(name, entry) }));
    }
    return known;
  };
}

function createFacts(name: string, handler: string): LoadableProgram["factsOf"] {
  const made = new Map<string, ToolFacts>();
  return ({ clock, random }) => {
    const id = `${clock} ${random}`;
    let facts = made.get(id);
    if (facts === undefined) {
      // Nothing of the version that runs it: neither does it depend on it, nor need it know.
      const names = { handler, server: "artifacts", name, version: "", commit: "", logsPrefix: "logs://" };
      facts = Object.freeze({ ...names, clock, random, model: false, stages: false });
      made.set(id, facts);
    }
    return facts;
  };
}

function toLength({ program }: LoadableProgram): number {
  return [...program.modules.values()].reduce((sum, source) => sum + source.length, 1);
}
