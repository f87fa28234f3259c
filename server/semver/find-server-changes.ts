import { canonicalJson } from "../json/canonical-json.ts";
import type { Server, Version } from "../versions/version.ts";
import type { BumpRule } from "./bump-rules.ts";
import { findPromptChanges } from "./find-prompt-changes.ts";
import { findResourceChanges } from "./find-resource-changes.ts";
import { findStateChanges } from "./find-state-changes.ts";
import { findTextChanges } from "./find-text-changes.ts";
import type { Reading } from "./reading.ts";
import { createFinding, type Finding, placeIn, type Step } from "./finding.ts";

const AGENT = "manifests/agent.yaml";

/** Finds changes of the whole version. */
export function findAgentChanges(before: Version, after: Version): readonly Finding[] {
  const [was, is] = [before.agent, after.agent];
  const [old, young] = [before.program.memory, after.program.memory];
  const find = (rule: BumpRule, key: string, message: string) =>
    createFinding(rule, message, placeIn("after", AGENT, key), key === "defaults" ? { member: "memory" } : {});
  return [
    ...(was.name === is.name
      ? []
      : [find("agent-renamed", "name", `The agent is \`${is.name}\`, and was \`${was.name}\`.`)]),
    ...(was.hostApi === is.hostApi
      ? []
      : [
          find(
            "host-api-changed",
            "hostApi",
            `Handlers are written for the host API ${is.hostApi}, and were for ${was.hostApi}.`,
          ),
        ]),
    ...findTextChanges("the agent", was, is, ["title", "description"], (message, key) =>
      find("text-changed", key, message),
    ),
    ...(was.compare === is.compare
      ? []
      : [
          find(
            "comparison-changed",
            "compare",
            `Versions are compared ${is.compare ?? "declared"}, and were ${was.compare ?? "declared"}.`,
          ),
        ]),
    ...(canonicalJson(was.checks) === canonicalJson(is.checks)
      ? []
      : [
          createFinding(
            "policy-changed",
            "Changes of the agent are checked by other commands.",
            placeIn("after", AGENT, "checks"),
            { isPolicy: true },
          ),
        ]),
    ...(old === young
      ? []
      : [
          find(
            young < old ? "limit-lowered" : "limit-raised",
            "defaults",
            `The version's handlers may take ${young} megabytes of memory, and might take ${old}.`,
          ),
        ]),
  ];
}

/** All of servers but their tools. */
export function findServerChanges(before: Version, after: Version, reading: Reading): readonly Finding[] {
  const names = new Set([...before.servers.keys(), ...after.servers.keys()]);
  return [...names].flatMap((name): readonly Finding[] => {
    const [was, is] = [before.servers.get(name), after.servers.get(name)];
    const about = { server: name };
    if (is === undefined) {
      const place = placeIn("before", was?.file ?? "", "name");
      return [createFinding("server-removed", `The server \`${name}\` is not there any more.`, place, about)];
    }
    if (was === undefined) {
      return [
        createFinding("server-added", `The server \`${name}\` is new.`, placeIn("after", is.file, "name"), about),
      ];
    }
    return [
      ...compare(was, is),
      ...findStateChanges(was, is, reading),
      ...findResourceChanges(was, is, reading),
      ...findPromptChanges(was, is, reading),
    ];
  });
}

function compare(was: Server, is: Server): readonly Finding[] {
  const findings: Finding[] = [];
  const find = (rule: BumpRule, message: string, ...path: Step[]) =>
    findings.push(createFinding(rule, message, placeIn("after", is.file, ...path), { server: is.name }));
  if (was.errors !== is.errors) {
    find(
      "errors-changed",
      `Failed calls are told as \`${is.errors}\` errors, and were as \`${was.errors}\` ones.`,
      "errors",
    );
  }
  if (was.state !== is.state) {
    find("state-changed", `The state is ${showState(is.state)}, and was ${showState(was.state)}.`, "state");
  }
  if (was.liveTools !== undefined && is.liveTools === undefined) {
    find("live-tools-lost", `The server \`${is.name}\` has no live tools any more.`, "name");
  } else if (was.liveTools === undefined && is.liveTools !== undefined) {
    find("live-tools-gained", `The server \`${is.name}\` has live tools.`, "liveTools");
  } else if (JSON.stringify(was.liveTools) !== JSON.stringify(is.liveTools)) {
    find("live-tools-changed", `The live tools of \`${is.name}\` are listed or called in another way.`, "liveTools");
  }
  // Tools that began to ask say so themselves.
  const isOfTools = is.tools.some((tool) => tool.interactive);
  if (!was.interactive && is.interactive && !isOfTools) {
    find("interactive-gained", `A prompt of \`${is.name}\` asks its caller something.`, "prompts");
  }
  const texts = findTextChanges(
    `the server \`${is.name}\``,
    was,
    is,
    ["title", "description", "instructions"],
    (message, key) => createFinding("text-changed", message, placeIn("after", is.file, key), { server: is.name }),
  );
  return [...findings, ...texts];
}

function showState(name: string | undefined): string {
  return name === undefined ? "the commit's own" : `\`${name}\``;
}
