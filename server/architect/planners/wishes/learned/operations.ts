/** Keys that bound a value, a length or a number of items from above and from below: people use the same words for all of them. */
const UPPER: ReadonlySet<string> = new Set(["maximum", "maxLength", "maxItems", "max"]);
const LOWER: ReadonlySet<string> = new Set(["minimum", "minLength", "minItems", "min"]);
/** Verbs of guesses that are named by them: "require visits.book_appointment/input/vet". */
const VERBS: Readonly<Record<string, string>> = {
  require: "require",
  relax: "relax",
  deprecate: "deprecate",
  promote: "promote",
  arm: "addArm",
  grant: "grant",
  revoke: "revoke",
  rename: "rename",
  role: "grant",
  label: "label",
  command: "command",
  example: "example",
  hosts: "host",
  drop: "capability",
  manner: "promote",
  redact: "redact",
};

/** What is done to a place: another value or a new one, one more item of a list, one less, or nothing is left of it. */
export type Way = "set" | "add" | "remove" | "absent";

/** The operation of a change at a place: what people ask for in one kind of words, whatever it is done to. */
export function operationAt(path: readonly string[], way: Way): string {
  const last = path.at(-1) ?? "";
  if (path.length === 0 || (path.length === 1 && last === "")) return way === "absent" ? "removeTool" : "rename";
  if (path.includes("labels")) return "label";
  if (path[0] === "roles") return way === "absent" ? "removeRole" : way === "remove" ? "revoke" : "grant";
  if (path.includes("arms")) return way === "absent" ? "removeArm" : path.length > 3 ? "armValue" : "addArm";
  if (last === "required") return way === "remove" ? "relax" : "require";
  if (last === "enum" || last === "values") return way === "remove" ? "removeValue" : "addValue";
  if (last === "examples" || path[0] === "examples") return "example";
  if (last === "egress") return "host";
  if (last === "commands") return "command";
  if (last === "redact") return "redact";
  if (last === "requiredCapabilities") return "capability";
  if (path.at(-2) === "properties") return way === "absent" ? "removeField" : "addField";
  if (path[0] === "parameters" && last === "default") return "parameter";
  if (way === "absent") return "reset";
  if (UPPER.has(last)) return "upper";
  if (LOWER.has(last)) return "lower";
  return last;
}

/** The operation of a guess, by its name. */
export function operationOf(name: string): string {
  const [, path, rest = ""] = /^[^ #]+\.ya?ml#([^ =]*)(.*)$/s.exec(name) ?? [];
  if (path !== undefined) {
    const way: Way =
      rest === "=" ? "absent" : rest.startsWith("=") ? "set" : /^ (?:remove|-)/.test(rest) ? "remove" : "add";
    return / > /.test(rest) ? "rename" : operationAt(path.split("/"), way);
  }
  const [verb = "", thing = "", third] = name.split(" ");
  if (verb === "remove") {
    if (thing === "role") return "removeRole";
    if (thing === "arm") return "removeArm";
    return thing.includes("#") ? "example" : thing.includes("/") ? "removeField" : "removeTool";
  }
  if (verb === "add") return "addField";
  if (verb === "require" && third !== undefined) return "capability";
  return VERBS[verb] ?? "other";
}
