// Cuts GitHub's published GraphQL schema down to the types that our forge reads and writes.
import { Kind, parse, print } from "graphql";

const OBJECTS = new Set([
  "Query",
  "Mutation",
  "Repository",
  "Ref",
  "RefUpdateRule",
  "GitObject",
  "Blob",
  "Commit",
  "Tree",
  "GitSignature",
  "GpgSignature",
  "PullRequest",
  "MergeQueueEntry",
  "PullRequestReviewConnection",
  "PullRequestReview",
  "PullRequestReviewThreadConnection",
  "PullRequestReviewThread",
  "PullRequestTimelineItemsConnection",
  "PullRequestTimelineItems",
  "PullRequestCommit",
  "RemovedFromMergeQueueEvent",
  "Actor",
  "Bot",
  "User",
  "CreateCommitOnBranchPayload",
  "EnablePullRequestAutoMergePayload",
  "EnqueuePullRequestPayload",
]);
const WITH_FIELDS = new Set([Kind.OBJECT_TYPE_DEFINITION, Kind.INTERFACE_TYPE_DEFINITION]);
const LEAVES = new Set([Kind.SCALAR_TYPE_DEFINITION, Kind.ENUM_TYPE_DEFINITION]);
const BUILT_IN = new Set(["ID", "String", "Int", "Float", "Boolean"]);

function nameOf(type) {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : nameOf(type.type);
}

/** The schema as text, without prose: fields of other types than those are left out, and all that only they need. */
export function cutGraphql(text) {
  const all = new Map(parse(text, { noLocation: true }).definitions.map((one) => [one.name?.value, one]));
  const kept = new Map();
  const strip = (node) => ({ ...node, description: undefined, directives: [] });

  const keepInput = (name) => {
    if (BUILT_IN.has(name) || kept.has(name)) return;
    const found = all.get(name);
    const fields = found.fields?.map(strip);
    kept.set(name, { ...strip(found), ...(fields && { fields }), values: found.values?.map(strip) });
    for (const field of fields ?? []) keepInput(nameOf(field.type));
  };
  const keepField = (field) => {
    const name = nameOf(field.type);
    if (!OBJECTS.has(name)) keepInput(name);
    for (const { type } of field.arguments) keepInput(nameOf(type));
    return { ...strip(field), arguments: field.arguments.map(strip) };
  };
  const isKept = ({ type }) =>
    OBJECTS.has(nameOf(type)) || BUILT_IN.has(nameOf(type)) || LEAVES.has(all.get(nameOf(type))?.kind);

  for (const name of OBJECTS) {
    const found = all.get(name);
    if (found === undefined) throw new Error(`GitHub has no type \`${name}\`.`);
    if (WITH_FIELDS.has(found.kind)) {
      const interfaces = found.interfaces.filter(({ name: one }) => OBJECTS.has(one.value));
      // What a mutation or a query does not return an object for is not one of ours.
      const isRoot = name === "Query" || name === "Mutation";
      const fields = found.fields.filter((field) => (isRoot ? OBJECTS.has(nameOf(field.type)) : isKept(field)));
      kept.set(name, { ...strip(found), interfaces, fields: fields.map(keepField) });
    } else {
      kept.set(name, { ...strip(found), types: found.types.filter(({ name: one }) => OBJECTS.has(one.value)) });
    }
  }
  const definitions = [...kept].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
  return print({ kind: Kind.DOCUMENT, definitions });
}
