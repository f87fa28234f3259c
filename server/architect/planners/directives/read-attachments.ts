import type { Attachment } from "../plan.ts";
import type { Block } from "./phrase.ts";

/** Reads attachments as blocks of text. */
export function readAttachments(attachments: readonly Attachment[]): readonly Block[] {
  return attachments.map(({ uri, mediaType, text }) => ({ language: toLanguage(uri, mediaType, text), text }));
}

function toLanguage(uri: string, mediaType: string, text: string): string {
  if (/^\s*(?:diff --git a\/|--- (?:a\/|\/dev\/null))/.test(text)) return "diff";
  if (/^\s*[[{]/.test(text) || /json/.test(mediaType) || uri.endsWith(".json")) return "json";
  if (/yaml/.test(mediaType) || /\.ya?ml$/.test(uri)) return "yaml";
  return /diff|patch/.test(mediaType) || /\.(?:diff|patch)$/.test(uri) ? "diff" : "text";
}
