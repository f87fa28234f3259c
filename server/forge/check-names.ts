import { CairnError } from "../errors.ts";
import { quote } from "../capabilities/workspace/check-path.ts";

/** The branches of proposals begin so, among those of people. */
export const PROPOSAL_BRANCHES = "proposal/";

const MAX_CHECK_NAME = 100;
const MAX_REF_NAME = 200;

/** Keys become part of the names of branches, also where upper and lower case are one. */
export function checkKey(key: string): void {
  if (!/^[a-z0-9](?:[a-z0-9-]{0,98}[a-z0-9])?$/.test(key)) {
    throw wrong("key", key, "it takes 1 to 100 lower-case letters, digits and dashes between them");
  }
}

/** A whole object id: what is only begun may mean another commit tomorrow. */
export function checkOid(oid: string): void {
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(oid)) throw wrong("commit", oid, "it takes the whole id, in hexadecimal");
}

export function checkBranchName(name: string): void {
  if (!isRefName(name)) throw wrong("branch", name, RULES);
}

export function checkTagName(name: string): void {
  if (!isRefName(name) || name.includes("/")) throw wrong("tag", name, `${RULES}, without \`/\``);
}

export function checkCheckName(name: string): void {
  if (!isLine(name, MAX_CHECK_NAME))
    throw wrong("check", name, `it takes one line of 1 to ${MAX_CHECK_NAME} characters`);
}

/** Says whether `text` is one line, all of which can be seen. */
export function isLine(text: string, maxLength: number): boolean {
  const seen = text.isWellFormed() && !/[\p{Cc}\p{Zl}\p{Zp}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u.test(text);
  return seen && text.trim() !== "" && text.length <= maxLength;
}

const RULES = `it takes 1 to ${MAX_REF_NAME} letters, digits, \`.\`, \`_\`, \`+\`, \`-\` and \`/\` in an order that git takes`;

/** Stricter than git, so that a name is the same in a file system, a URL and a command. */
function isRefName(name: string): boolean {
  return (
    name.length <= MAX_REF_NAME &&
    name.split("/").every((part) => /^[A-Za-z0-9][A-Za-z0-9._+-]*$/.test(part)) &&
    !/\.\.|\.(?:\/|$)|\.lock(?:\/|$)/.test(name)
  );
}

function wrong(what: string, name: string, rule: string): CairnError {
  return new CairnError("BAD_REQUEST", `${quote(name)} is no name of a ${what}: ${rule}.`);
}
