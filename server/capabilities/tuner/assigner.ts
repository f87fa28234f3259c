import type { Assigned, Assigner, AssignRequest } from "../../kernel/assigner.ts";
import type { Tool, Version } from "../../versions/version.ts";
import { type Assignment, assignValues } from "./state/assign-values.ts";
import { defaultsOf } from "./state/tuned-set.ts";
import { toGiven, type Values } from "./state/values.ts";
import type { Ledger } from "./ledger.ts";
import type { Ledgers } from "./ledgers.ts";
import { toCredit } from "./tuned-conversation.ts";

export interface AssignerOptions {
  readonly ledgers: Ledgers;
  readonly now: () => number;
  /** Told why an experiment could not be read. Calls go on: with what was known of it, or else with the defaults. */
  readonly onError: (error: unknown) => void;
}

export function createAssigner({ ledgers, now, onError }: AssignerOptions): Assigner {
  /** Tools whose parameters nobody tunes: the same values for every call. */
  const fixed = new WeakMap<Tool, Assigned>();

  return {
    toCredit,
    assign(request) {
      const { version, tool } = request;
      const known = fixed.get(tool);
      if (known !== undefined) return known;
      if (!tool.parameters.some((name) => version.parameters.get(name)?.experiment !== undefined)) {
        const parameters = Object.fromEntries(
          tool.parameters.toSorted().map((name) => [name, defaults(version, name)]),
        );
        const values: Assigned = Object.freeze({ parameters });
        fixed.set(tool, values);
        return values;
      }
      const opened = tool.parameters
        .toSorted()
        .map((name) => [name, ledgers.open(request.tenant, version, name)] as const);
      return isAtHand(opened) ? decide(request, opened) : prepare(opened, onError).then((all) => decide(request, all));
    },
  };

  function decide({ version, actor, conversationId, isNested }: AssignRequest, opened: Opened): Assigned {
    const parameters: Record<string, Values> = {};
    const assignments: Record<string, Omit<Assignment, "values">> = {};
    for (const [name, ledger] of opened) {
      if (ledger === undefined) {
        parameters[name] = defaults(version, name);
        continue;
      }
      if (isNested) {
        parameters[name] = ledger.latest().active.values;
        continue;
      }
      const { exploration } = ledger.set.experiment;
      const id = exploration.assignBy === "actor" ? actor : conversationId;
      const { values, ...assignment } = assignValues(ledger.set, ledger.latest(), id);
      parameters[name] = values;
      assignments[name] = assignment;
      // So that conversations at the same time are spread before any of them is written.
      ledger.anticipate({ kind: "assigned", conversation: conversationId, ...toGiven(assignment), at: now() });
    }
    return Object.keys(assignments).length === 0 ? { parameters } : { parameters, assignments };
  }
}

type Opened = readonly (readonly [name: string, ledger: Ledger | undefined])[];
type Opening = readonly (readonly [name: string, ledger: Ledger | Promise<Ledger> | undefined])[];

function isAtHand(opening: Opening): opening is Opened {
  return opening.every(
    ([, ledger]) => ledger === undefined || (!(ledger instanceof Promise) && ledger.hasBegun() && ledger.isFresh()),
  );
}

/** Begins what has not begun: from its first call on, a version is moved by nothing but its own. */
async function prepare(opening: Opening, onError: AssignerOptions["onError"]): Promise<Opened> {
  return Promise.all(
    opening.map(async ([name, promised]) => {
      let ledger: Ledger | undefined;
      try {
        ledger = await promised;
        if (ledger?.hasBegun() === false) await ledger.begin();
        if (ledger?.isFresh() === false) await ledger.refresh();
      } catch (error) {
        onError(error);
      }
      // Nothing may be written before what the log begins with.
      return [name, ledger?.hasBegun() === true ? ledger : undefined] as const;
    }),
  );
}

function defaults(version: Version, name: string): Values {
  const set = version.parameters.get(name);
  return set === undefined ? {} : defaultsOf(set);
}
