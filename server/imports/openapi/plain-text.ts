import { findHidden } from "../../text/find-hidden.ts";

/**
 * Makes a description of a document fit for a manifest: one paragraph without HTML, links, pictures and characters that people do not
 * see, at most `limit` characters, cut at the end of a sentence where there is one. Returns "" for anything but a text.
 */
export function toPlainText(value: unknown, limit: number): string {
  if (typeof value !== "string") return "";
  const plain = value
    .slice(0, limit * 20)
    .replaceAll(/<!--[^]*?-->/g, " ")
    .replaceAll(/<\/?[a-zA-Z][^<>]*>/g, " ")
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, " ")
    .replaceAll(/\[([^\]]+)\]\([^)\s]*(?:\s"[^"]*")?\)/g, "$1")
    .replaceAll(/^\s*(?:#{1,6}\s+|(?:>\s*)+)(?:\[![A-Z]+\])?/gm, "")
    .replaceAll(/\*\*([^*]+)\*\*/g, "$1")
    .replaceAll(/\p{Cc}/gu, " ")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ (?=[.,;:!?](?:\s|$))/g, "")
    .trim();
  const visible = findHidden(plain).length === 0 ? plain : plain.replaceAll(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, "");
  return cutAt(visible, limit);
}

function cutAt(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const start = text.slice(0, limit);
  const end = Math.max(start.lastIndexOf(". "), start.lastIndexOf("! "), start.lastIndexOf("? "));
  if (end > limit / 3) return start.slice(0, end + 1);
  return `${start.slice(0, Math.max(start.lastIndexOf(" "), limit / 2)).replace(/[,;:\s]+$/, "")} ...`;
}
