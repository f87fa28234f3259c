import { maskQuotations } from "../../../message/find-quotations.ts";

const TOOLS = String.raw`(?<![\p{L}\p{N}])(?:(?:all|any|the) )?tools`;
const OWN = String.raw`(?: (?:of their own|otherwise|themselves|anything else|something else))`;
/** "Tools that don't say otherwise", "tools that say nothing about memory", "tools without a time limit of their own". */
const UNSET = new RegExp(
  String.raw`${TOOLS} (?:(?:that|which) (?:(?:do not|don['’]t) (?:set|have|name|give|say|state|declare|define|bring)(?: (?:an?|any)(?<set>(?: \p{L}+){1,3}?))?${OWN}|(?:say|state|declare|set) nothing(?: (?:about|on|for|of)(?: (?:an?|any|the|their))?(?<about>(?: \p{L}+){1,3}?)|${OWN})?(?= (?:should|must|may|can|get|have)\b))|without (?:an?|any)(?<lacking>(?: \p{L}+){1,3}?) of their own)(?!\p{L})`,
  "giu",
);

/** A message with "the default ... of tools" in the place of words that say which tools a default is for. */
export function withDefaults(text: string): string {
  const masked = maskQuotations(text);
  let told = "";
  let at = 0;
  for (const { index, 0: said, groups = {} } of masked.matchAll(UNSET)) {
    const noun = groups["set"] ?? groups["about"] ?? groups["lacking"];
    told += `${text.slice(at, index)}${noun === undefined ? "tools by default" : `the default${noun} of tools`}`;
    at = index + said.length;
  }
  return told + text.slice(at);
}
