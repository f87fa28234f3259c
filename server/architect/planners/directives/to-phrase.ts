import type { Phrase } from "./phrase.ts";

/** A phrase whose pattern is written with blanks for what is read: `promote {arm} for {experiment}`. */
export function toPhrase(source: string, read: Phrase["read"]): Phrase {
  const pattern = source.replaceAll(/\{([a-z]\w*)\}/g, "(?<$1>.+?)");
  return { pattern: new RegExp(`^(?:${pattern})$`, "i"), read };
}

export const SET = "(?:set|change|adjust|tune|put|move|raise|increase|bump|lower|reduce|decrease|update)";
export const TAKE = "(?:remove|delete|drop|get rid of|take away)";
export const FIELD = "(?:argument|parameter|input|field|property|option|output)";
