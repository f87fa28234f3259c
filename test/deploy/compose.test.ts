import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { dirname, join } from "node:path";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { CONFIG_VARIABLES } from "../../server/config/config.ts";

const COMPOSE = "deploy/compose.yaml";
/** Folder of a linter that brings the schema of the Compose Specification. */
const LINTER = dirname(fileURLToPath(import.meta.resolve("dclint/package.json")));

async function findProblems(text: string): Promise<readonly string[]> {
  const schema = JSON.parse(await readFile(join(LINTER, "schemas/compose.schema.json"), "utf8"));
  const ajv = new Ajv({ allErrors: true, strict: false });
  addFormats.default(ajv);
  const validate = ajv.compile({ ...schema, $schema: "http://json-schema.org/draft-07/schema#" });
  validate(parse(text));
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    `${instancePath} ${message} ${JSON.stringify(params)}`.trim(),
  );
}

test(`${COMPOSE} keeps to the Compose Specification, where a misspelt key is an error`, async () => {
  const text = await readFile(COMPOSE, "utf8");
  expect(await findProblems(text)).toEqual([]);
  expect(await findProblems(text.replace("stop_grace_period", "stop_grace_periot"))).toEqual([
    '/services/cairn must NOT have additional properties {"additionalProperty":"stop_grace_periot"}',
  ]);
});

test(`${COMPOSE} runs both services without rights, and gives Cairn variables that it reads`, async () => {
  const { services, networks } = parse(await readFile(COMPOSE, "utf8"));
  for (const service of [services.cairn, services.caddy]) {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
      stop_grace_period: "35s",
    });
  }
  expect(Object.keys(CONFIG_VARIABLES)).toEqual(expect.arrayContaining(Object.keys(services.cairn.environment)));
  expect(services.cairn.environment.CAIRN_TRUSTED_PROXIES).toBe(networks.inside.ipam.config[0].subnet);
  expect(services.cairn.ports).toBeUndefined();
});

test(`${COMPOSE} asks for health as the image does`, async () => {
  const { services } = parse(await readFile(COMPOSE, "utf8"));
  const [, ...command] = services.cairn.healthcheck.test;
  const image =
    /^HEALTHCHECK [^\n]*\n\s*CMD (\[.*\])$/m.exec(await readFile("deploy/Containerfile", "utf8"))?.[1] ?? "";
  expect(command.join(" ")).toBe(JSON.parse(image).join(" ").replace("' + process.env.PORT + '", "3000"));
});
