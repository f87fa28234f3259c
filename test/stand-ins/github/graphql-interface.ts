import { readFileSync } from "node:fs";
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  buildSchema,
  getVariableValues,
  parse,
  validate,
} from "graphql";

type Json = Readonly<Record<string, unknown>>;

/** What GitHub publishes about its GraphQL interface, of the types that we read and write. */
export const GRAPHQL_SCHEMA: GraphQLSchema = buildSchema(
  readFileSync(new URL("schema.graphql", import.meta.url), "utf8"),
);

/** Reads a document, and says what of it or of its variables is not as GitHub describes it. */
export function readDocument(
  text: string,
  variables: Json,
): { readonly document: DocumentNode } | { readonly wrong: string } {
  try {
    const document = parse(text);
    const errors = validate(GRAPHQL_SCHEMA, document);
    const [operation] = document.definitions;
    if (errors.length > 0 || operation?.kind !== Kind.OPERATION_DEFINITION) return { wrong: toText(errors) };
    const known = new Set((operation.variableDefinitions ?? []).map(({ variable }) => variable.name.value));
    const unknown = Object.keys(variables).filter((name) => !known.has(name));
    if (unknown.length > 0) return { wrong: `No variables are declared for ${unknown.join(", ")}.` };
    const found = getVariableValues(GRAPHQL_SCHEMA, operation.variableDefinitions ?? [], variables);
    return found.errors === undefined ? { document } : { wrong: toText(found.errors) };
  } catch (error) {
    if (error instanceof GraphQLError) return { wrong: error.message };
    throw error;
  }
}

function toText(errors: readonly GraphQLError[]): string {
  return errors.map(({ message }) => message).join(" ");
}
