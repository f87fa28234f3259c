import { CairnError } from "../errors.ts";
import { findPathFault, quote } from "../capabilities/workspace/check-path.ts";
import { checkBranchName, checkKey, checkOid, isLine } from "./check-names.ts";
import type { Proposal } from "./forge.ts";

/** Limits of one proposal, which every forge can take. Lengths are characters, sizes bytes. */
export const PROPOSAL_LIMITS = Object.freeze({
  files: 2_000,
  /** The sum of all files. */
  bytes: 32 * 1024 * 1024,
  titleLength: 250,
  bodyLength: 60_000,
  messageBytes: 16 * 1024,
  labels: 20,
  labelLength: 50,
});

/** Rejects with BAD_REQUEST what could not become a change, or not the one that was meant: before anything is written. */
export function checkProposal(proposal: Proposal): void {
  checkKey(proposal.key);
  checkOid(proposal.from);
  checkBranchName(proposal.base);
  const fault = findTextFault(proposal) ?? findFilesFault(proposal);
  if (fault !== undefined) throw new CairnError("BAD_REQUEST", `The proposal is refused: ${fault}.`);
}

/** Rejects with BAD_REQUEST a text of several lines, named by `what`, that is empty, too long or malformed. */
export function checkMessage(what: string, text: string): void {
  if (isMessage(text)) return;
  throw new CairnError("BAD_REQUEST", `The ${what} needs to be text of 1 to ${PROPOSAL_LIMITS.messageBytes} bytes.`);
}

function findTextFault({ title, body, message, author, labels = [] }: Proposal): string | undefined {
  const { titleLength, bodyLength, messageBytes, labelLength } = PROPOSAL_LIMITS;
  if (!isLine(title, titleLength)) return `its title needs to be one line of 1 to ${titleLength} characters`;
  if (!isText(body) || body.length > bodyLength) {
    return `its body needs to be text of at most ${bodyLength} characters`;
  }
  if (!isMessage(message)) {
    return `its message needs to be text of 1 to ${messageBytes} bytes`;
  }
  if (![author.name, author.email].every((text) => isLine(text, 200) && /^[^<>]*[\p{L}\p{N}][^<>]*$/u.test(text))) {
    return "its author's name and address need 1 to 200 characters other than `<` and `>`, on one line";
  }
  if (labels.length > PROPOSAL_LIMITS.labels) return `it has more than ${PROPOSAL_LIMITS.labels} labels`;
  // Forges take a comma for the end of a label.
  const label = labels.find((text) => !isLine(text, labelLength) || text.includes(","));
  if (label === undefined) return undefined;
  return `its label ${quote(label)} needs to be one line of 1 to ${labelLength} characters without a comma`;
}

function findFilesFault({ files }: Proposal): string | undefined {
  if (files.size === 0) return "it names no files";
  if (files.size > PROPOSAL_LIMITS.files) return `it names more than ${PROPOSAL_LIMITS.files} files`;
  let bytes = 0;
  for (const [path, content] of files) {
    const fault = findPathFault(path);
    if (fault !== undefined) return `the path ${quote(path)} cannot be used, because ${fault}`;
    if (typeof content === "string" && !content.isWellFormed()) return `${quote(path)} is not well-formed Unicode`;
    bytes += content === null ? 0 : Buffer.byteLength(content);
  }
  // Git leaves out one of the two without a word.
  const inside = [...files.keys()].find((path) => isWithin(path, files));
  if (inside !== undefined) return `${quote(inside)} lies in something that it makes a file`;
  return bytes > PROPOSAL_LIMITS.bytes ? `its files have more than ${PROPOSAL_LIMITS.bytes} bytes together` : undefined;
}

function isWithin(path: string, files: Proposal["files"]): boolean {
  if (files.get(path) === null) return false;
  const names = path.split("/");
  return names.some((_, at) => at > 0 && (files.get(names.slice(0, at).join("/")) ?? null) !== null);
}

function isMessage(text: string): boolean {
  return isText(text) && text.trim() !== "" && Buffer.byteLength(text) <= PROPOSAL_LIMITS.messageBytes;
}

function isText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}
