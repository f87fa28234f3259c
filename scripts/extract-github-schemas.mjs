// Writes what GitHub publishes about the calls that our forge and agents of tests make, to test/stand-ins/github: openapi.json,
// cut out of the description of its whole REST interface (13 MB, inside a package of 385 MB), and schema.graphql, cut out of that
// of GraphQL (1.2 MB, which would take a second to read for each file of tests). So both are fetched and not depended on.
// Plain JavaScript for Node 20 or newer. Run it after adding a call to OPERATIONS or a type to github-schemas/cut-graphql.mjs,
// or to move to newer descriptions.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { cutGraphql } from "./github-schemas/cut-graphql.mjs";
import { fetchPackageFile } from "./github-schemas/fetch-package-file.mjs";

const REST = {
  name: "@octokit/openapi",
  version: "23.0.2",
  sum: "pV8M7L9GY23AybNvTmo2nyjmpmnt6+2sRE/tqr0ZLQcPS4lnw7u5eZGNmwRNkBC3D7gZXbFx5AHzLUVRBXGDhg==",
  member: "package/generated/api.github.com.json",
};
const GRAPHQL = {
  name: "@octokit/graphql-schema",
  version: "15.26.1",
  sum: "RFDC2MpRBd4AxSRvUeBIVeBU7ojN/SxDfALUd7iVYOSeEK3gZaqR2MGOysj4Zh2xj2RY5fQAUT+Oqq7hWTraMA==",
  member: "package/schema.graphql",
};
const REPOSITORY = "/repos/{owner}/{repo}";

const OPERATIONS = [
  "GET /app",
  "POST /app/installations/{installation_id}/access_tokens",
  `GET ${REPOSITORY}/installation`,
  `GET ${REPOSITORY}`,
  `GET ${REPOSITORY}/branches/{branch}`,
  `PUT ${REPOSITORY}/branches/{branch}/protection`,
  `GET ${REPOSITORY}/rules/branches/{branch}`,
  `POST ${REPOSITORY}/rulesets`,
  `GET ${REPOSITORY}/git/ref/{ref}`,
  `GET ${REPOSITORY}/git/matching-refs/{ref}`,
  `POST ${REPOSITORY}/git/refs`,
  `PATCH ${REPOSITORY}/git/refs/{ref}`,
  `DELETE ${REPOSITORY}/git/refs/{ref}`,
  `POST ${REPOSITORY}/git/blobs`,
  `GET ${REPOSITORY}/git/blobs/{file_sha}`,
  `POST ${REPOSITORY}/git/trees`,
  `GET ${REPOSITORY}/git/trees/{tree_sha}`,
  `POST ${REPOSITORY}/git/commits`,
  `GET ${REPOSITORY}/git/commits/{commit_sha}`,
  `POST ${REPOSITORY}/git/tags`,
  `GET ${REPOSITORY}/git/tags/{tag_sha}`,
  `GET ${REPOSITORY}/compare/{basehead}`,
  `POST ${REPOSITORY}/pulls`,
  `GET ${REPOSITORY}/pulls`,
  `GET ${REPOSITORY}/pulls/{pull_number}`,
  `PATCH ${REPOSITORY}/pulls/{pull_number}`,
  `GET ${REPOSITORY}/pulls/{pull_number}/files`,
  `PUT ${REPOSITORY}/pulls/{pull_number}/merge`,
  `PUT ${REPOSITORY}/pulls/{pull_number}/update-branch`,
  `POST ${REPOSITORY}/pulls/{pull_number}/requested_reviewers`,
  `GET ${REPOSITORY}/codeowners/errors`,
  `GET ${REPOSITORY}/issues`,
  `POST ${REPOSITORY}/issues`,
  `GET ${REPOSITORY}/issues/{issue_number}`,
  `PATCH ${REPOSITORY}/issues/{issue_number}`,
  `POST ${REPOSITORY}/issues/{issue_number}/labels`,
  `POST ${REPOSITORY}/issues/{issue_number}/comments`,
  `GET ${REPOSITORY}/issues/{issue_number}/comments`,
  `POST ${REPOSITORY}/check-runs`,
  `PATCH ${REPOSITORY}/check-runs/{check_run_id}`,
  `POST ${REPOSITORY}/check-runs/{check_run_id}/rerequest`,
  `GET ${REPOSITORY}/actions/runs`,
  `POST ${REPOSITORY}/actions/runs/{run_id}/rerun-failed-jobs`,
  `GET ${REPOSITORY}/commits/{ref}/check-runs`,
  `GET ${REPOSITORY}/commits/{ref}/check-suites`,
  `GET ${REPOSITORY}/commits/{ref}/status`,
  `POST ${REPOSITORY}/statuses/{sha}`,
];
/** Keys that do not constrain the form of a value. */
const PROSE = new Set(["description", "example", "examples", "title", "default", "deprecated", "externalDocs"]);
const METHODS = new Set(["get", "put", "post", "patch", "delete"]);

const toTarget = (name) => fileURLToPath(new URL(`../test/stand-ins/github/${name}`, import.meta.url));

/** A copy as JSON Schema: no prose, `$ref` into `$defs`, and `nullable`, which JSON Schema does not know, said in its way. */
function toSchema(value, names) {
  if (Array.isArray(value)) return value.map((item) => toSchema(item, names));
  if (typeof value !== "object" || value === null) return value;
  if (typeof value.$ref === "string") {
    const name = value.$ref.replace("#/components/schemas/", "");
    names.add(name);
    return { $ref: `#/$defs/${name}` };
  }
  const copy = {};
  for (const [key, inner] of Object.entries(value)) {
    if (PROSE.has(key) || key === "nullable" || key.startsWith("x-")) continue;
    copy[key] =
      key === "properties"
        ? Object.fromEntries(Object.entries(inner).map(([name, property]) => [name, toSchema(property, names)]))
        : key === "enum" || key === "required"
          ? inner
          : toSchema(inner, names);
  }
  if (value.nullable !== true) return copy;
  if (typeof copy.type !== "string") return { anyOf: [copy, { type: "null" }] };
  return {
    ...copy,
    type: [copy.type, "null"],
    ...(copy.enum !== undefined && !copy.enum.includes(null) && { enum: [...copy.enum, null] }),
  };
}

function extract(document) {
  const find = (value) =>
    typeof value.$ref === "string"
      ? value.$ref
          .slice(2)
          .split("/")
          .reduce((inner, key) => inner[key], document)
      : value;
  const names = new Set();
  const schemaOf = (content) =>
    content?.["application/json"]?.schema === undefined ? null : toSchema(content["application/json"].schema, names);

  const operations = {};
  for (const operation of OPERATIONS) {
    const [method, path] = operation.split(" ");
    // Names of parameters in a path are no part of the interface.
    const [, found] =
      Object.entries(document.paths).find(
        ([other]) => other.replaceAll(/\{\w+\}/g, "{}") === path.replaceAll(/\{\w+\}/g, "{}"),
      ) ?? [];
    const described = found?.[METHODS.has(method.toLowerCase()) ? method.toLowerCase() : ""];
    if (described === undefined) throw new Error(`GitHub describes no \`${operation}\`.`);
    operations[operation] = {
      request: schemaOf(described.requestBody?.content),
      required: described.requestBody?.required === true,
      responses: Object.fromEntries(
        Object.entries(described.responses).map(([status, response]) => [status, schemaOf(find(response).content)]),
      ),
    };
  }
  const $defs = {};
  // The set grows while it is walked.
  for (const name of names) $defs[name] = toSchema(document.components.schemas[name], names);
  return { operations, $defs: Object.fromEntries(Object.entries($defs).sort(([a], [b]) => (a < b ? -1 : 1))) };
}

const { operations, $defs } = extract(JSON.parse(fetchPackageFile(REST)));
const text = JSON.stringify({
  $comment:
    `GitHub's published description of its REST interface, cut down to the calls that Cairn makes and to the form of ` +
    `their bodies. From ${REST.name} ${REST.version} (MIT, Copyright GitHub), by scripts/extract-github-schemas.mjs.`,
  operations,
  $defs,
});
writeFileSync(toTarget("openapi.json"), `${text}\n`);
const words =
  `# GitHub's published GraphQL schema, cut down to the types that Cairn reads and writes. From ${GRAPHQL.name}\n` +
  `# ${GRAPHQL.version} (MIT, Copyright GitHub), by scripts/extract-github-schemas.mjs.\n\n`;
const schema = cutGraphql(fetchPackageFile(GRAPHQL));
writeFileSync(toTarget("schema.graphql"), `${words}${schema}\n`);
process.stdout.write(`${Object.keys(operations).length} operations, ${Object.keys($defs).length} schemas\n`);
