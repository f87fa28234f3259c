import type { Level } from "../../../server/semver/level.ts";
import { generateMember, type GeneratedTool, type ObjectSchema, type Random, type Schema } from "./generate-tools.ts";

/** Edit of a tool in place; undefined where the tool has nothing that it could edit. */
export interface ToolEdit {
  readonly name: string;
  /** Bump that a careful person gives: known by what the edit does, not by comparing. */
  readonly bump: Level;
  readonly apply: (tool: GeneratedTool, random: Random) => boolean;
}

type Part = "inputSchema" | "outputSchema";

/** Applies an edit to one member of the input or the output that it fits, at the top or one object further in. */
function onMember(
  part: Part,
  fits: (member: Schema, isRequired: boolean) => boolean,
  change: (member: Schema, owner: ObjectSchema, name: string, random: Random) => void,
): ToolEdit["apply"] {
  return (tool, random) => {
    const root = tool[part];
    const owners = root === undefined ? [] : [root, ...Object.values(root.properties).filter(isOwner)];
    const places = owners.flatMap((owner) =>
      Object.entries(owner.properties)
        .filter(([name, member]) => fits(member, owner.required.includes(name)))
        .map(([name, member]) => ({ owner, name, member })),
    );
    if (places.length === 0) return false;
    const { owner, name, member } = random.pick(places);
    change(member, owner, name, random);
    return true;
  };
}

function isOwner(schema: Schema): schema is ObjectSchema {
  return schema["type"] === "object";
}

/** Applies an edit to the object at the root of the input or the output. */
function onRoot(part: Part, change: (root: ObjectSchema, random: Random) => boolean | void): ToolEdit["apply"] {
  return (tool, random) => {
    const root = tool[part];
    return root !== undefined && change(root, random) !== false;
  };
}

const fresh = (random: Random) => `added_${random.below(1_000_000)}`;
const isEnum = ({ enum: values }: Schema) => Array.isArray(values);
const isLongEnum = ({ enum: values }: Schema) => Array.isArray(values) && values.length > 2;
const has = (keyword: string) => (member: Schema) => keyword in member;
const drop = (owner: ObjectSchema, name: string) => {
  Reflect.deleteProperty(owner.properties, name);
  owner.required = owner.required.filter((other) => other !== name);
};
const addValue = (member: Schema, random: Random) => {
  member["enum"] = [...(member["enum"] as string[]), fresh(random)];
};
const dropValue = (member: Schema) => {
  member["enum"] = (member["enum"] as string[]).slice(0, -1);
};
const add = (member: Schema, keyword: string, by: number) => {
  member[keyword] = Number(member[keyword]) + by;
};
const optional = (_: Schema, isRequired: boolean) => !isRequired;
const require = (_: Schema, owner: ObjectSchema, name: string) => void owner.required.push(name);
const release = (_: Schema, owner: ObjectSchema, name: string) => {
  owner.required = owner.required.filter((other) => other !== name);
};
/** Writes a member in other words: behind a reference, as alternatives, or with a list of types. */
const reword = (member: Schema, owner: ObjectSchema, name: string, random: Random) => {
  owner.properties[name] = random.pick<() => Schema>([
    () => ({ allOf: [member] }),
    () => ({ anyOf: [member, { ...member, description: "In other words." }] }),
    () => ({ ...member, title: `Title ${random.below(1_000)}` }),
  ])();
};

/** Edits that releases of real servers are made of. */
export const TOOL_EDITS: readonly ToolEdit[] = [
  {
    name: "describe the tool",
    bump: "patch",
    apply: (tool, random) => void (tool.description = `Does ${random.next()}.`) === undefined,
  },
  {
    name: "describe a member",
    bump: "patch",
    apply: onMember(
      "inputSchema",
      () => true,
      (member, _owner, _name, random) => void (member["description"] = `Is ${random.next()}.`),
    ),
  },
  {
    name: "write a member in other words",
    bump: "patch",
    apply: onMember("inputSchema", (member) => !("default" in member), reword),
  },
  {
    name: "take an optional member more",
    bump: "minor",
    apply: onRoot("inputSchema", ({ properties }, random) => void (properties[fresh(random)] = generateMember(random))),
  },
  {
    name: "demand a new member",
    bump: "major",
    apply: onRoot("inputSchema", ({ properties, required }, random) => {
      const name = fresh(random);
      properties[name] = { type: "string" };
      required.push(name);
    }),
  },
  {
    name: "take a member no more",
    bump: "major",
    apply: onMember(
      "inputSchema",
      () => true,
      (_member, owner, name) => drop(owner, name),
    ),
  },
  {
    name: "rename a member",
    bump: "major",
    apply: onMember(
      "inputSchema",
      () => true,
      (member, owner, name, random) => {
        const other = fresh(random);
        owner.properties[other] = member;
        if (owner.required.includes(name)) owner.required.push(other);
        drop(owner, name);
      },
    ),
  },
  { name: "demand a member", bump: "major", apply: onMember("inputSchema", optional, require) },
  {
    name: "demand a member no more",
    bump: "minor",
    apply: onMember("inputSchema", (_, isRequired) => isRequired, release),
  },
  {
    name: "take a value more",
    bump: "minor",
    apply: onMember("inputSchema", isEnum, (member, _owner, _name, random) => addValue(member, random)),
  },
  { name: "take a value less", bump: "major", apply: onMember("inputSchema", isLongEnum, dropValue) },
  {
    name: "take more",
    bump: "minor",
    apply: onMember("inputSchema", has("maximum"), (member) => add(member, "maximum", 10)),
  },
  {
    name: "take less",
    bump: "major",
    apply: onMember(
      "inputSchema",
      (member) => Number(member["maximum"]) > 6,
      (member) => add(member, "maximum", -1),
    ),
  },
  {
    name: "take longer texts",
    bump: "minor",
    apply: onMember("inputSchema", has("maxLength"), (member) => add(member, "maxLength", 10)),
  },
  {
    name: "take shorter texts",
    bump: "major",
    apply: onMember("inputSchema", has("maxLength"), (member) => add(member, "maxLength", -5)),
  },
  {
    name: "demand a pattern",
    bump: "major",
    apply: onMember(
      "inputSchema",
      (member) => Object.keys(member).join() === "type,description" && member["type"] === "string",
      (member) => void (member["pattern"] = "^[a-z]+$"),
    ),
  },
  {
    name: "demand no pattern",
    bump: "minor",
    apply: onMember("inputSchema", has("pattern"), (member) => Reflect.deleteProperty(member, "pattern")),
  },
  {
    name: "demand whole numbers",
    bump: "major",
    apply: onMember(
      "inputSchema",
      ({ type }) => type === "number",
      (member) => void (member["type"] = "integer"),
    ),
  },
  {
    name: "take null",
    bump: "minor",
    apply: onMember(
      "inputSchema",
      ({ type, enum: values }) => type === "string" && values === undefined,
      (member) => void (member["type"] = ["string", "null"]),
    ),
  },
  {
    name: "take more items",
    bump: "minor",
    apply: onMember("inputSchema", has("maxItems"), (member) => add(member, "maxItems", 10)),
  },
  {
    name: "take fewer items",
    bump: "major",
    apply: onMember(
      "inputSchema",
      (member) => Number(member["maxItems"]) > 5,
      (member) => add(member, "maxItems", -5),
    ),
  },
  {
    name: "mean something else",
    bump: "major",
    apply: onMember(
      "inputSchema",
      ({ type, default: initial }) => type === "boolean" && initial !== undefined,
      (member) => void (member["default"] = member["default"] !== true),
    ),
  },
  {
    name: "close the input",
    bump: "major",
    apply: onRoot(
      "inputSchema",
      (root) => !("additionalProperties" in root) && (root["additionalProperties"] = false) === false,
    ),
  },
  {
    name: "give a member more",
    bump: "minor",
    apply: onRoot(
      "outputSchema",
      (root, random) =>
        !("additionalProperties" in root) && (root.properties[fresh(random)] = generateMember(random)) !== undefined,
    ),
  },
  {
    name: "give a member no more",
    bump: "major",
    apply: onMember(
      "outputSchema",
      () => true,
      (_member, owner, name) => drop(owner, name),
    ),
  },
  { name: "give a member always", bump: "minor", apply: onMember("outputSchema", optional, require) },
  {
    name: "give a member sometimes",
    bump: "major",
    apply: onMember("outputSchema", (_, isRequired) => isRequired, release),
  },
  {
    name: "give a value more",
    bump: "major",
    apply: onMember("outputSchema", isEnum, (member, _owner, _name, random) => addValue(member, random)),
  },
  { name: "give a value less", bump: "minor", apply: onMember("outputSchema", isLongEnum, dropValue) },
  {
    name: "give more",
    bump: "major",
    apply: onMember("outputSchema", has("maximum"), (member) => add(member, "maximum", 10)),
  },
  {
    name: "describe a member of the output",
    bump: "patch",
    apply: onMember(
      "outputSchema",
      () => true,
      (member, _owner, _name, random) => void (member["description"] = `Is ${random.next()}.`),
    ),
  },
  {
    name: "give no structure",
    bump: "major",
    apply: (tool) => tool.outputSchema !== undefined && Reflect.deleteProperty(tool, "outputSchema"),
  },
  {
    name: "begin to write",
    bump: "major",
    apply: ({ annotations }) => annotations["readOnlyHint"] === true && !(annotations["readOnlyHint"] = false),
  },
  {
    name: "only read",
    bump: "minor",
    apply: ({ annotations }) => annotations["readOnlyHint"] === false && (annotations["readOnlyHint"] = true),
  },
];
