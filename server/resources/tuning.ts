import { CairnError } from "../errors.ts";
import type { Store } from "../store/store.ts";
import { experimentsOf } from "../capabilities/tuner/actions/desk.ts";
import type { Ledgers } from "../capabilities/tuner/ledgers.ts";
import { defaultsOf } from "../capabilities/tuner/state/tuned-set.ts";
import { explainExperiment } from "../capabilities/tuner/views/explain-experiment.ts";
import { toExperimentView } from "../capabilities/tuner/views/experiment-view.ts";
import { type MicroResult, readResults } from "../capabilities/tuner/views/read-results.ts";
import { mayUse, type Provider, type ResourceRequest, readLimit } from "./provider.ts";
import { readReplays, type ReplayLine } from "./read-replays.ts";

/** Lines of each experiment in one page. */
const LINE_LIMIT = 1000;

type Reader = Pick<ResourceRequest, "version" | "principal">;

/** `state://active` of the runner: with the values that calls run with unless they explore. */
export function createActiveState(ledgers: Ledgers): Provider {
  return async (request) => {
    const { version, server, principal } = request;
    const tuned = (await readViews(ledgers, request)).map(
      ({ experiment, active }) => [experiment, active.values] as const,
    );
    const defaults = [...version.parameters.values()].map((set) => [set.name, defaultsOf(set)] as const);
    return {
      agent: version.agent.name,
      version: version.semver,
      commit: version.commit,
      server: server.name,
      tools: server.tools
        .filter(({ name }) => mayUse({ version, principal }, name))
        .map(({ name, version: toolVersion }) => ({ name, version: toolVersion })),
      parameters: Object.fromEntries([...defaults, ...tuned]),
    };
  };
}

/** `state://active` of the tuner: the values that calls run with unless they explore, and since when. */
export function createActiveTuning(ledgers: Ledgers): Provider {
  return async (request) => ({
    version: request.version.semver,
    commit: request.version.commit,
    experiments: (await readViews(ledgers, request)).map(({ experiment, active, origin, guardrail }) => ({
      experiment,
      ...active,
      origin,
      guardrail: guardrail.breach,
    })),
  });
}

/** `state://staging`: what is being learnt, with the numbers. */
export function createStagedTuning(ledgers: Ledgers): Provider {
  return async (request) => ({
    version: request.version.semver,
    commit: request.version.commit,
    experiments: await readViews(ledgers, request),
  });
}

/**
 * `eval://micro_results.jsonl{?experiment,from,limit}`: results of experiments, and of replays where none is named, one
 * a line, oldest first.
 */
export function createMicroResults(ledgers: Ledgers, store: Store): Provider {
  return async (request) => {
    const { version, principal, variables } = request;
    const limit = readLimit(request, LINE_LIMIT, LINE_LIMIT);
    const from = readFrom(request);
    const all = experimentsOf(version);
    const { experiment } = variables;
    if (experiment !== undefined && !all.includes(experiment)) {
      throw new CairnError("NOT_FOUND", `Version ${version.semver} has no experiment \`${experiment.slice(0, 64)}\`.`);
    }
    const lines: (MicroResult | ReplayLine)[] = [];
    for (const name of experiment === undefined ? all : [experiment]) {
      const ledger = await ledgers.open(principal.tenant, version, name);
      let count = 0;
      if (ledger === undefined) continue;
      for await (const result of readResults(ledger, from)) {
        lines.push(result);
        if (++count === limit) break;
      }
    }
    if (experiment === undefined) {
      lines.push(...(await readReplays(store, request)).filter(({ seq }) => seq >= from).slice(0, limit));
    }
    return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  };
}

/** Creates the text of the prompt `tuner/explain`: about one experiment, if `experiment` names one. */
export function createTuningExplanation(ledgers: Ledgers): Provider {
  return async (request) => {
    const { version, variables } = request;
    const { experiment } = variables;
    const views = await readViews(ledgers, request);
    const wanted = experiment === undefined ? views : views.filter((view) => view.experiment === experiment);
    const first = `This is how version ${version.semver} (${version.commit.slice(0, 12)}) is being tuned.`;
    if (wanted.length > 0) return [first, ...wanted.map(explainExperiment)].join("\n\n");
    if (experiment === undefined) return `Version ${version.semver} has no parameters that are tuned.`;
    throw new CairnError("NOT_FOUND", `Version ${version.semver} has no experiment \`${experiment.slice(0, 64)}\`.`);
  };
}

async function readViews(ledgers: Ledgers, { version, principal }: Reader) {
  return Promise.all(
    experimentsOf(version).map(async (name) => {
      const ledger = await ledgers.open(principal.tenant, version, name);
      if (ledger === undefined) throw new TypeError(`\`${name}\` is no experiment.`);
      return toExperimentView(ledger.set, await ledger.read());
    }),
  );
}

function readFrom({ variables, uri }: ResourceRequest): number {
  const text = variables["from"] ?? "0";
  const from = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(from)) return from;
  throw new CairnError("BAD_REQUEST", `\`from\` in \`${uri}\` must be a whole number: the \`seq\` to start with.`);
}
