import type { Tool, Version } from "../../../../versions/version.ts";
import type { Workflow } from "../../../../versions/workflow.ts";
import { toExperimentSettings } from "./experiment-settings.ts";
import { type Accepts, COUNT, stemSet } from "./places.ts";
import { CHOICE, type Setting } from "./setting.ts";

const SECONDS: Accepts = { kind: "number", unit: "s", whole: true };
const DAYS: Accepts = { kind: "number", unit: "days", whole: true };

const FLOW = /\bworkflows?\b|\btasks?\b|\bruns?\b/iu;

const SELF =
  /\bself[- ]approv\w+|\bapprov(?:e|es|ed|ing)\b[^.;,]{0,20}\b(?:their|his|her|its|one['’]s|your) own (?:workers?['’]? )?(?:runs?|work|changes?)\b/iu;

/** Lists what can be set by words of its own: of policies, workflows and experiments. */
export function listSettings(version: Version): readonly Setting[] {
  return [
    ...toPolicySettings(version),
    ...[...version.workflows.values()].flatMap((workflow, _, all) => toWorkflowSettings(workflow, all)),
    ...[...version.parameters.values()].flatMap((set) => toExperimentSettings(version, set)),
    ...[...version.tools.values()].map(toStrictness),
  ];
}

/** Whether a tool takes fields that its input does not have. */
function toStrictness({ name, file, input }: Tool): Setting {
  return {
    label: `answer of \`${name}\` to whether it takes unknown fields`,
    file,
    at: ["input", "additionalProperties"],
    accepts: CHOICE,
    now: input["additionalProperties"] as boolean | undefined,
    key: /\badditional[ _]?properties\b|\b(?:unknown|undeclared|undefined|undocumented|unexpected|unlisted) (?:inputs?|fields?|arguments?|propert(?:y|ies)|keys?|parameters?|attributes?)\b|\b(?:inputs?|fields?|arguments?|properties|keys|parameters) (?:that |which )?(?:it|they) (?:does|do)(?:n['’]t| not) (?:know|declare|have|list)\b/iu,
    about: /./u,
    names: [[...stemSet(name)], ...(/\..*_/u.test(name) ? [[...stemSet(name.replace(/^.*\./u, ""))]] : [])],
    owners: stemSet("additional property unknown field argument know declare", name),
    isOfRefusal: true,
    values: [
      [
        /\bfalse\b|\b(?:n['’]t|not|never|no longer|stop) (?:be )?(?:accept|allow|take|permit|tolerat)\w*|\b(?:refus|reject|forbid|disallow|turn(?:s|ed)? (?:down|away)|strict)\w*/iu,
        false,
      ],
      [
        /\btrue\b|(?<!n['’]t |\bnot |\bnever |\blonger |\bstop |\bbe |\bdis)\b(?:accept|allow|take|permit|tolerat|ignor)\w*/iu,
        true,
      ],
    ],
  };
}

function toPolicySettings({ policies }: Version): readonly Setting[] {
  const retiring = policies.filter(({ quietDays, noticeDays }) => (quietDays ?? noticeDays) !== undefined);
  const merging = policies.filter(({ architect }) => architect !== undefined);
  const only = <T>(some: readonly T[]) => (some.length === 1 ? some[0] : undefined);
  const notice = only(retiring) ?? only(policies);
  const merge = only(merging) ?? only(policies);
  const self = only(policies.filter(({ allowsSelfApproval }) => allowsSelfApproval !== undefined)) ?? only(policies);
  return [
    ...(notice === undefined
      ? []
      : [
          {
            label: `notice in days of the policy \`${notice.name}\``,
            file: notice.file,
            at: ["retirement", "noticeDays"],
            accepts: DAYS,
            now: notice.noticeDays,
            within: [1, 3650] as const,
            key: /\bnotice(?:s|[ -]?days| period)?\b|\bvorlauf(?:zeit)?\b|\bankündigungsfrist\b|\bpreaviso\b|\bpréavis\b/iu,
            about:
              /\b(?:deprecat\w*|sunset\w*|retire\w*|polic(?:y|ies)|(?:before|until|till) (?:something|anything|a tool|a field|what)\b[^.;]{0,30}\b(?:ends?|goes|go|disappears?|is (?:removed|gone|retired|switched off))|richtlinien?|abgekündigt\w*|política|politique)\b/iu,
            names: [],
            owners: stemSet(
              "policy caller user customer deprecated deprecation something anything end ends before need give get",
            ),
          },
        ]),
    ...(merge === undefined
      ? []
      : [
          {
            label: `largest change that lands without an approval, in the policy \`${merge.name}\`,`,
            file: merge.file,
            at: ["architect", "merge"],
            accepts: CHOICE,
            now: merge.architect?.merge,
            key: /\b(?:land|lands|merged?|merges|go (?:in|through|out)|be (?:merged|tagged|released))\b[^.;]{0,40}\bwithout\b[^.;]{0,25}\b(?:approv\w*|person|review\w*|anybody|anyone|somebody|look\w*)|\b(?:land|lands|merged?|merges|go (?:in|through|out))\b[^.;]{0,40}\b(?:by (?:itself|themselves)|on (?:its|their) own|alone|automatically|unattended)\b/iu,
            about: /\b(?:patch(?:es)?|minor|nothing|no changes?)\b/iu,
            names: [],
            owners: stemSet("change changes version versions architect feedback approval somebody person"),
            values: [
              [/\b(?:nothing|no changes?)\b/iu, "none"],
              [/\bpatch(?:es)?\b/iu, "patch"],
              [/\bminor\b/iu, "minor"],
            ],
          } satisfies Setting,
        ]),
    ...(self === undefined
      ? []
      : [
          {
            label: `approval by who owns the worker of a run, in the policy \`${self.name}\`,`,
            file: self.file,
            at: ["approvals", "self"],
            accepts: CHOICE,
            now: self.allowsSelfApproval,
            key: SELF,
            about: SELF,
            names: [],
            owners: stemSet("worker workers owner owners run runs policy"),
            values: [
              [/\b(?:allow\w*|permit\w*|enabled?|let|may|can|true|on|possible|okay|fine)\b/iu, true],
              [
                /\b(?:disallow\w*|forbid\w*|forbidden|disabled?|never|no|nobody|not|false|off|stop|end)\b|n['’]t\b/iu,
                false,
              ],
            ],
          } satisfies Setting,
        ]),
  ];
}

function toWorkflowSettings(workflow: Workflow, all: Iterable<Workflow>): readonly Setting[] {
  const { name, file, title, description, leaseSeconds, maxAttempts, isDefault } = workflow;
  const label = (key: string) => `${key} of the workflow \`${name}\``;
  const base = {
    file,
    names: [[...stemSet(name)]],
    owners: stemSet("workflow task run worker", title),
    beside: /^workflows?$/,
  };
  const flow = { ...base, about: FLOW };
  const named = { ...base, about: /\bworkflows?\b/iu };
  const others = [...all].filter((one) => one !== workflow && one.isDefault);
  return [
    {
      ...flow,
      label: label("lease in seconds"),
      at: ["leaseSeconds"],
      accepts: SECONDS,
      now: leaseSeconds,
      within: [5, 3600],
      key: /\bleases?\b|\bleaseSeconds\b/iu,
    },
    {
      ...flow,
      label: label("number of attempts"),
      at: ["maxAttempts"],
      accepts: COUNT,
      now: maxAttempts,
      within: [1, 20],
      key: /\b(?:attempts?|tries|tried|maxAttempts)\b/iu,
    },
    {
      ...named,
      label: label("title"),
      at: ["title"],
      accepts: { kind: "text" },
      now: title,
      key: /\b(?:titled?|called|named)\b/iu,
    },
    {
      ...named,
      label: label("description"),
      at: ["description"],
      accepts: { kind: "text" },
      now: description,
      key: /\b(?:descri\w+)\b/iu,
    },
    {
      ...named,
      label: label("role as the default"),
      at: ["default"],
      accepts: CHOICE,
      now: isDefault,
      key: /\bdefault\b/iu,
      values: [[/\b(?:the|our) default\b|\bby default\b|\bdefault workflow\b/iu, true]],
      others: others.map((one) => ({ file: one.file, at: ["default"] })),
    },
  ];
}
