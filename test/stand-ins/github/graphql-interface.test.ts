import { describe, expect, test } from "vitest";
import { readDocument } from "./graphql-interface.ts";

describe("a document of GraphQL", () => {
  test("is taken as GitHub describes it", () => {
    const mutation =
      "mutation ($input: EnqueuePullRequestInput!) { enqueuePullRequest(input: $input) { clientMutationId } }";
    const input = { pullRequestId: "PR_1", expectedHeadOid: "a".repeat(40) };
    expect(readDocument(mutation, { input })).toEqual({ document: expect.objectContaining({ kind: "Document" }) });
    expect(readDocument("query { viewer { login } }", {})).toEqual({ document: expect.anything() });
  });

  test.each([
    ["query { viewer { logn } }", {}, 'Cannot query field "logn" on type "User".'],
    ["query { viewer { login }", {}, "Syntax Error: Expected Name, found <EOF>."],
    ["query { viewer { login } }", { owner: "acme" }, "No variables are declared for owner."],
    [
      "query ($owner: String!) { repository(owner: $owner) { id } }",
      { owner: "acme" },
      'Field "repository" argument "name" of type "String!" is required',
    ],
    [
      "mutation ($input: EnqueuePullRequestInput!) { enqueuePullRequest(input: $input) { clientMutationId } }",
      { input: { pullRequestId: "PR_1", expectedHead: "a" } },
      'Field "expectedHead" is not defined by type "EnqueuePullRequestInput"',
    ],
  ])("such as %s with %j is not taken: %s", (text, variables, words) => {
    expect(readDocument(text, variables)).toEqual({ wrong: expect.stringContaining(words) });
  });
});
