import { canonicalJson } from "../json/canonical-json.ts";
import { defined } from "../json/defined.ts";
import type { Workflow, WorkflowStep } from "../versions/workflow.ts";
import type { BumpRule } from "./bump-rules.ts";
import { findTextChanges } from "./find-text-changes.ts";
import type { Reading } from "./reading.ts";
import { createFinding, type Finding, placeIn, type Step } from "./finding.ts";

type Workflows = ReadonlyMap<string, Workflow>;

/** Finds changes of workflows: of their tools, and of the evidence of runs. */
export function findWorkflowChanges(before: Workflows, after: Workflows, reading: Reading): readonly Finding[] {
  const own = [...new Set([...before.keys(), ...after.keys()])].flatMap((name): readonly Finding[] => {
    const [was, is] = [before.get(name), after.get(name)];
    const find: Find = (member, rule, message, ...path) => {
      const [side, file] = is === undefined ? (["before", was?.file ?? ""] as const) : (["after", is.file] as const);
      const about = { of: `workflow ${name}`, ...defined({ member }) };
      return createFinding(rule, `The workflow \`${name}\` ${message}.`, placeIn(side, file, ...path), about);
    };
    if (is === undefined) return [find(undefined, "workflow-removed", "is not there any more", "name")];
    if (was === undefined) return [find(undefined, "workflow-added", "is new", "name")];
    return [
      ...findWritingChanges(was, is, find),
      ...findNumberChanges(was, is, find),
      ...findNeedChanges(was, is, find),
      ...findStepChanges(was, is, find),
      ...(reading === "plain" ? [] : findRiskChanges(was, is, find)),
      ...findInnerChanges(was, is, find),
      ...findTextChanges(`the workflow \`${name}\``, was, is, ["title", "description"], (message, key) =>
        createFinding("text-changed", message, placeIn("after", is.file, key)),
      ),
    ];
  });
  return [...findDefaultChanges(before, after), ...own];
}

type Find = (member: string | undefined, rule: BumpRule, message: string, ...path: Step[]) => Finding;

function findDefaultChanges(before: Workflows, after: Workflows): readonly Finding[] {
  const [was, is] = [before, after].map((all) => [...all.values()].find(({ isDefault }) => isDefault));
  if (was?.name === is?.name) return [];
  const place = is === undefined ? placeIn("before", was?.file ?? "", "default") : placeIn("after", is.file, "default");
  const have = is === undefined ? "have none any more" : `have \`${is.name}\``;
  if (was === undefined)
    return [
      createFinding("workflow-widened", `Tasks that name no workflow ${have}.`, place, {
        of: `workflow ${is?.name}`,
        member: "default",
      }),
    ];
  const message = `Tasks that name no workflow ${have}${is === undefined ? "" : ","} and had \`${was.name}\`.`;
  return [createFinding("workflow-default-moved", message, place, { of: `workflow ${was.name}`, member: "default" })];
}

function* findWritingChanges(was: Workflow, is: Workflow, find: Find): Generator<Finding> {
  if (was.writes && !is.writes)
    yield find("writes", "workflow-narrowed", "lets its runs change no files any more", "writes");
  if (!was.writes && is.writes) yield find("writes", "workflow-writes-gained", "lets its runs change files", "writes");
}

function* findNumberChanges(was: Workflow, is: Workflow, find: Find): Generator<Finding> {
  for (const [key, unit] of [
    ["maxAttempts", "tries"],
    ["leaseSeconds", "seconds between heartbeats"],
  ] as const) {
    if (was[key] === is[key]) continue;
    const rule = is[key] < was[key] ? "workflow-narrowed" : "workflow-widened";
    yield find(key, rule, `allows ${is[key]} ${unit}, and allowed ${was[key]}`, key);
  }
}

/** Finds changes of a run's other needs: evidence, approvals, and heirs of artifacts. */
function* findNeedChanges(was: Workflow, is: Workflow, find: Find): Generator<Finding> {
  for (const [key, toList, needs] of [
    ["requires", ({ requires }: Workflow) => requires, (one: string) => `requires \`${one}\``],
    ["approvals", ({ approvals }: Workflow) => approvals, (one: string) => `needs approval at \`${one}\` risk`],
    ["steps", listProduced, (one: string) => `leaves \`${one}\` to one of its steps`],
  ] as const) {
    const old: readonly string[] = toList(was);
    const young: readonly string[] = toList(is);
    for (const one of young.filter((item) => !old.includes(item)))
      yield find(one, "workflow-narrowed", needs(one), key);
    for (const one of old.filter((item) => !young.includes(item))) {
      yield find(one, "workflow-widened", `no longer ${needs(one)}`, key);
    }
  }
}

function listProduced({ steps }: Workflow): readonly string[] {
  return steps.flatMap(({ produces }) => produces);
}

function* findStepChanges(was: Workflow, is: Workflow, find: Find): Generator<Finding> {
  const [old, young] = [toNames(was), toNames(is)];
  for (const name of old.filter((one) => !young.includes(one))) {
    yield find(name, "step-removed", `has no step \`${name}\` any more`, "steps");
  }
  for (const name of young.filter((one) => !old.includes(one))) {
    yield find(name, "step-added", `has the new step \`${name}\``, "steps", { name });
  }
}

function toNames({ steps }: Workflow): readonly string[] {
  return steps.map(({ name }) => name);
}

/** Finds files whose changes wait for an approval now, or no more, although `approvals` is as it was. */
function* findRiskChanges(was: Workflow, is: Workflow, find: Find): Generator<Finding> {
  if (canonicalJson(was.approvals.toSorted()) !== canonicalJson(is.approvals.toSorted())) return;
  const [old, young] = [listHeld(was), listHeld(is)];
  for (const path of young.filter((one) => !old.includes(one))) {
    yield find(path, "workflow-narrowed", `needs approval where \`${path}\` changes`, "risk");
  }
  for (const path of old.filter((one) => !young.includes(one))) {
    yield find(path, "workflow-widened", `no longer needs approval where \`${path}\` changes`, "risk");
  }
}

/** Lists the patterns of paths whose changes wait for an approval. */
function listHeld({ risk, approvals }: Workflow): readonly string[] {
  return risk.filter(({ level }) => approvals.includes(level)).flatMap(({ paths }) => paths);
}

function* findInnerChanges(was: Workflow, is: Workflow, find: Find): Generator<Finding> {
  const [old, young] = [toInner(was, is), toInner(is, was)];
  if (canonicalJson(old) !== canonicalJson(young)) {
    yield find(undefined, "workflow-changed", "has steps in another order or by other tools, or other files are risky");
  }
}

/** Of steps and artifacts only those that the other has, too: the rest was told. */
function toInner({ risk, steps }: Workflow, other: Workflow) {
  const [names, artifacts] = [toNames(other), listProduced(other)];
  const kept = steps.filter(({ name }) => names.includes(name));
  const toShown = ({ name, tool, produces }: WorkflowStep) => {
    return { name, tool, produces: produces.filter((artifact) => artifacts.includes(artifact)).toSorted() };
  };
  return { risk, steps: kept.map(toShown) };
}
