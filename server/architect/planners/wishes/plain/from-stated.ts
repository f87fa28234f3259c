/** How something is, and behind it an order to make it otherwise: "it is 5 by default, make it 4". */
const STATED =
  /^(?<about>[^\n.!?]{3,80}?|[^\n!?]{3,80}?\S) (?<verb>is|are|has|have|costs?|takes?|allows?|stands at|is at|is set to|defaults to) (?:currently |now |only |set to |at )*(?<old>\d[\w.,%]*|(?<=defaults to )[\p{L}_-]+)(?<rest>(?: [^\s,;]+){0,6})[,;] (?:so |and |but |then |please |pls )*(?:make|set|change|turn|bring|put|raise|lower) (?:it|that|this)(?: to| into)? (?:the )?(?<fresh>[\p{L}\d][\p{L}\d_.,%-]*)(?<tail>.*)$/su;

/** A message that says how something is, and what to make it, as a change from the one to the other; what is stated is checked like that. */
export function fromStated(message: string): string {
  const { about, verb, old, rest = "", fresh, tail = "" } = STATED.exec(message.trim())?.groups ?? {};
  if (about === undefined || old === undefined || fresh === undefined) return message;
  const key = verb === "defaults to" ? " default" : verb === "costs" || verb === "cost" ? " cost" : "";
  const unit = /^\d/.test(fresh) && tail.replace(/[.!]+$/, "").trim() === "" ? rest : "";
  return `change ${about}${key}${unit === "" ? rest : ""} from ${old}${unit} to ${fresh}${unit}${tail}`;
}

const FACTORS: Readonly<Record<string, number>> = { double: 2, twice: 2, triple: 3, half: 0.5 };
/** A number, and behind it another one that is a multiple of it: "20, and double that for search". */
const MULTIPLE =
  /(?<number>\d+(?:\.\d+)?)(?<unit> ?(?:ms|s|seconds?|minutes?|hours?|days?|MB|KB|%))?(?<between>(?:,| and| but)(?: [^\s.!?;]+){0,8}?) (?<factor>double|twice|triple|half) (?:of )?that\b/giu;

/** A message with each multiple of a number before it as a number of its own. */
export function withMultiples(message: string): string {
  return message.replaceAll(MULTIPLE, (...found) => {
    const {
      number = "",
      unit = "",
      between = "",
      factor = "",
    }: Record<string, string | undefined> = found.at(-1) ?? {};
    return `${number}${unit}${between} ${Number(number) * (FACTORS[factor.toLowerCase()] ?? 1)}${unit}`;
  });
}
