/** A kind of rule, and what Cairn makes of it. */
interface RuleType {
  /** What it means for a change. */
  readonly meaning: string;
  /** What a change has to wait for because of it, where that is no check that Cairn sees. */
  readonly awaits?: string;
  /** True where it may refuse a change, and Cairn can neither fulfil nor foresee that. */
  readonly isBeyond?: boolean;
}

/** Rules of rulesets by their types, as GitHub's description of its interface lists them. */
export const RULE_TYPES: Readonly<Record<string, RuleType>> = {
  creation: { meaning: "only some may create such a branch" },
  update: { meaning: "only some may change it", isBeyond: true },
  deletion: { meaning: "only some may delete it" },
  non_fast_forward: { meaning: "nobody may force-push to it" },
  required_linear_history: { meaning: "it takes no merge commits" },
  required_signatures: { meaning: "its commits have to be signed" },
  required_status_checks: { meaning: "checks have to pass" },
  pull_request: { meaning: "changes need a pull request" },
  merge_queue: { meaning: "changes go through a merge queue" },
  required_deployments: {
    meaning: "changes have to be deployed first",
    awaits: "it is deployed to where a rule wants it first",
    isBeyond: true,
  },
  workflows: {
    meaning: "workflows have to pass",
    awaits: "the workflows that a rule requires have passed",
    isBeyond: true,
  },
  code_scanning: { meaning: "code scanning has to pass", awaits: "code scanning has passed", isBeyond: true },
  copilot_code_review: { meaning: "Copilot reviews changes" },
  commit_message_pattern: { meaning: "messages of commits have to match a pattern", isBeyond: true },
  commit_author_email_pattern: { meaning: "authors' addresses have to match a pattern", isBeyond: true },
  committer_email_pattern: { meaning: "committers' addresses have to match a pattern", isBeyond: true },
  branch_name_pattern: { meaning: "names of branches have to match a pattern", isBeyond: true },
  tag_name_pattern: { meaning: "names of tags have to match a pattern" },
  file_path_restriction: { meaning: "some paths may not change", isBeyond: true },
  max_file_path_length: { meaning: "paths have a longest length", isBeyond: true },
  file_extension_restriction: { meaning: "some kinds of files are refused", isBeyond: true },
  max_file_size: { meaning: "files have a largest size", isBeyond: true },
  license_compliance_scanning: {
    meaning: "licences are scanned",
    awaits: "the scan of its licences has passed",
    isBeyond: true,
  },
};
