import { createHash } from "node:crypto";
import { FRAGMENT_FOLDER } from "../../tree.ts";
import { indentLines } from "../../../text/markdown.ts";
import { type FragmentContent, toSentence } from "./read-fragment.ts";

/** Fragment without the breaks that it accepts, which a person writes. */
type Claimed = Omit<FragmentContent, "accepts">;

const MAX_NAME = 50;
const DIGEST_LENGTH = 6;

/** Text of a change fragment, which reads as what was given, with each sentence in one line, but for fenced code in it. */
export function writeFragment({ kind, changes }: Claimed): string {
  const sentences = changes.map(toSentence).filter((sentence) => sentence !== "");
  const [first = ""] = sentences;
  const isPlain = sentences.length === 1 && !/^[-*](?:\s|$)/.test(first);
  const body = isPlain ? [first] : sentences.map((sentence) => `- ${indentLines(sentence)}`);
  return ["---", `kind: ${kind}`, "---", "", ...body, ""].join("\n");
}

/**
 * Path of a change fragment, by its first sentence. It ends with a part of a digest where the words alone do not tell it from
 * others: branches that do not know of each other must not choose one name.
 */
export function toFragmentFile(content: Claimed, isTaken: (file: string) => boolean): string {
  const [first = ""] = content.changes;
  const words = first
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  let name = "";
  for (const word of words) {
    const longer = name === "" ? word : `${name}-${word}`;
    if (longer.length > MAX_NAME) break;
    name = longer;
  }
  const isWhole = words.length > 1 && name === words.join("-") && content.changes.length === 1;
  const plain = `${FRAGMENT_FOLDER}/${name}.md`;
  if (isWhole && !isTaken(plain)) return plain;
  const digest = createHash("sha256").update(writeFragment(content)).digest("hex").slice(0, DIGEST_LENGTH);
  return `${FRAGMENT_FOLDER}/${[name === "" ? "change" : name, digest].join("-")}.md`;
}
