import type { Clause } from "./clause.ts";
import type { Places } from "./places/places.ts";

/** Verbs of what handlers do, and manifests say nothing of. */
const DOES =
  "(?:apologi[sz]e|archive|ask|attach|calculate|check|compare|compute|convert|copy|count|deduplicate|detect|display|draw|email|e-mail|estimate|explain|fetch|filter|find|fold|forgive|forward|forget|give back|group|guess|highlight|ignore|infer|inform|join|list|look(?! for)|mail|mark|match|measure|merge|message|name|notice|notify|parse|pick|ping|point|post|predict|print|propose|put|rank|recommend|redo|refund|refuse|reject|remember|remind|repeat|report|rerun|resend|retry|return|round|say|send|show(?! up as)|sign|skip|sort|speak|split|state|suggest|sum|tell|text|translate|try|turn (?:down|away)|understand|wait|walk|warn|watch|work out)";
/** What a tool is to do: "get_weather should also tell the UV index". */
const SHOULD = new RegExp(
  String.raw`^(?:[^,;:.!?]|\.(?=\w))*?\b(?:should|must|needs? to|has to|ought to|could|might|can)(?: also| always| really| just| then| not only| better| automatically| instead)* ${DOES}\b`,
  "iu",
);
/** "Let berths.reserve refuse boats that owe us a fee" */
const LET = new RegExp(
  String.raw`^\W*(?:(?:please|pls|kindly|can you|could you|can we|could we)\W+)*(?:let|make|have|teach|get)\b(?:[^,;:.!?]|\.(?=\w)){1,40}? (?:to )?(?:also |always |automatically )?${DOES}\b`,
  "iu",
);
/** "It would be great if decide_evaluate drew a chart" */
const WISHED =
  /\b(?:(?:would|['’]d) be (?:\w+ )?(?:great|nice|good|lovely|useful|helpful|cool|handy)|wish)\b[^,;:!?]*?\b(?:(?:also |always )?(?:archived|asked|checked|compared|drew|emailed|found|forgave|grouped|listed|looked|named|posted|remembered|returned|said|sent|showed|sorted|suggested|told|translated|understood|warned))\b/iu;
/** "fs_list: list subfolders recursively" */
const HEADED = new RegExp(
  String.raw`^\W*[\w.-]+\s*(?::|–|-)\s+(?:please |pls |also |it (?:should|must) (?:also )?)*${DOES}\b`,
  "iu",
);
/** "When a task gets blocked, send its requester an email", "Send the requester an email when ..." */
const EVENT = new RegExp(
  String.raw`^\W*(?:when|whenever|after|before|once|if|as soon as|every time|each time|on)\b[^:;.!?]*, (?:please |also |then |(?:\w+ ){1,3}(?:should|must) )*(?:send|email|e-mail|mail|notify|ping|text|remind|warn|inform|message)\b|^\W*(?:please |also )*(?:send|email|e-mail|mail|notify|ping|text|remind|warn|inform|message)\b.*\b(?:when|whenever|after|before|once|if|as soon as|every time|each time)\b`,
  "iu",
);

/**
 * Tells whether a sentence asks for something that handlers would have to do: it says what a tool is to do with a verb that
 * is none of what manifests declare, and names neither a key nor a number.
 */
export function asksOfCode({ text, keys, amounts }: Clause, { version }: Places): boolean {
  if (keys.size > 0 || amounts.length > 0) return false;
  if (EVENT.test(text)) return true;
  const [said] = SHOULD.exec(text) ?? WISHED.exec(text) ?? LET.exec(text) ?? HEADED.exec(text) ?? [];
  if (said === undefined) return false;
  return [...version.tools.values()].some(({ name }) => isNamed(name, said));
}

/** Tells whether a text names a tool, with its server or without. */
function isNamed(name: string, text: string): boolean {
  const bare = RegExp.escape(name.replace(/^.*?\.(?=[^.]+$)/, ""));
  return new RegExp(String.raw`(?<![\p{L}\p{N}_-])${bare}(?![\p{L}\p{N}_-])`, "iu").test(text);
}
