import type { OverreachRule } from "./overreach.ts";

/** What becomes of a plan that somebody else than the sender has made, and in which a guard finds something. */
export interface Guard {
  /** `refuse`: nothing comes of the plan. `approve`: somebody else than the sender has to approve it, and is shown the finding. */
  readonly verdict: "refuse" | "approve";
  /** What it finds. */
  readonly finds: string;
  /** The harm that the verdict prevents. */
  readonly why: string;
}

const refuse = (finds: string, why: string): Guard => Object.freeze({ verdict: "refuse", finds, why });
const approve = (finds: string, why: string): Guard => Object.freeze({ verdict: "approve", finds, why });

/**
 * All guards of plans that a model or a worker has made, and their verdicts. A finding that the sender's own sentences name,
 * word by word, is no finding. `docs/architect-model.md` shows this table.
 */
export const GUARDS: Readonly<Record<OverreachRule, Guard>> = Object.freeze({
  path: refuse(
    "a path outside the places for plans, of another program's settings, or that could mean another place",
    "Code would run with the rights of the repository, or a file would pass for another.",
  ),
  history: refuse("anything in `versions.yaml` but labels", "A commit would claim to be a version without its proof."),
  approvals: refuse(
    "other rules about who approves or what needs approval; `work.approve` for a handler; a grant that includes approving",
    "One plan could do away with what guards the next.",
  ),
  secret: refuse("text that looks like a credential, also in base64", "A secret would be public."),
  "hidden-text": refuse(
    "invisible characters, or a word in letters of two scripts",
    "People would approve something else than they read.",
  ),
  instruction: refuse(
    "text that reads like instructions to a model, or has its reader open, run or install what a URL, a path or a command names",
    "The models of clients would obey a description or an answer.",
  ),
  command: refuse(
    "a title or a change with commands, mentions or trailers for git hosts and checks",
    "Checks would not run, or a commit would claim another origin.",
  ),
  code: refuse(
    "a test that uses the environment, processes, files or networks",
    "Tests run in no isolate, and would reach more than what they test.",
  ),
  copy: refuse(
    "text of an attachment, 48 characters or more, that the message does not say to copy",
    "What a tenant sends along is its own, and may be meant as an order to its next reader.",
  ),
  policy: approve("another policy", "Callers could do more, or different callers could."),
  workflow: approve("another workflow", "Work would be done or checked in another way."),
  upstream: approve("another upstream", "Calls would go to another server, or to one that drifted."),
  egress: approve("a new host under `egress` of a tool", "The handler could send data there."),
  credential: approve(
    "a new entry under `secrets` of a tool, or one with a new host or owner, or carried in another way",
    "Calls would act with a credential that no owner gave them, or a host would get it.",
  ),
  uses: approve("a new syscall under `uses` of a tool", "The handler could do more."),
  capability: approve("fewer `requiredCapabilities` of a tool, or none of a new one", "More callers could call it."),
  tenancy: approve("`tenantScoped: false`", "Tenants could see each other's data."),
  limit: approve("a higher limit of a tool or of the agent", "A call could take more of what all share."),
  redaction: approve("less under `redact`", "Values would show in logs and records."),
  recording: approve(
    "`record: true`, `record.tape: true`, or more `record.days`",
    "Inputs and outputs would be kept, or what a handler is answered, or for longer.",
  ),
  retirement: approve("a `sunset` of a tool, or an earlier one", "Callers of the tool would fail from that day on."),
  "side-effect": approve("another `sideEffect`", "Clients would repeat, or ask about, other calls than now."),
  cost: approve("a lower `cost`", "Callers could take more within their budgets."),
  example: approve("an example that is gone, or promises less", "The tool would be held to less."),
  test: approve("a test that is gone, skipped, or expects less", "The code would be held to less."),
  experiment: approve(
    "a looser guardrail, or promotion by itself",
    "An experiment could do harm before a person looks.",
  ),
  server: approve("the state of another server, or a new view of the service", "A server would see or show more."),
  deleted: approve("a deleted file", "Callers of what it makes would fail."),
  renamed: approve("a renamed tool", "Callers of the old name would fail."),
  tool: approve(
    "a tool that the message does not name while it names others, or several while it names none",
    "A caller who asks for one thing would get another that no caller has asked for.",
  ),
  label: approve("another label, or one less", "Clients of the label would get another version."),
  link: approve("a link to a new host", "Readers and pages that show it would call the host."),
  tuning: approve(
    "tuning of an experiment that the message does not name",
    "Calls would run with other values at once.",
  ),
  wish: approve(
    "any plan for a message that asks for nothing in its sender's own words",
    "What a message quotes, shows, asks or denies is not the sender's wish.",
  ),
  echo: approve(
    "a value of a manifest that stands only in what the message quotes or shows",
    "The author of the quoted text would choose the value.",
  ),
});
