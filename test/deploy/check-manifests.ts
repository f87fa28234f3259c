import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { ServiceMonitor } from "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor";
import { StatefulSet } from "kubernetes-models/apps/v1/StatefulSet";
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1/NetworkPolicy";
import { ConfigMap } from "kubernetes-models/v1/ConfigMap";
import { Pod } from "kubernetes-models/v1/Pod";
import { Service } from "kubernetes-models/v1/Service";
import { ServiceAccount } from "kubernetes-models/v1/ServiceAccount";

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

/** Models of the kinds that `deploy/` has. Their schemas and types come from Kubernetes' and the operator's own OpenAPI documents. */
const MODELS = { ConfigMap, NetworkPolicy, Pod, Service, ServiceAccount, ServiceMonitor, StatefulSet };
const CACHE = resolve("node_modules/.cache/check-manifests");
const COMPILER = resolve("node_modules/.bin/tsc");

/**
 * Finds what is wrong with manifests by Kubernetes' own schemas: values by its JSON Schemas, and members that are unknown, missing
 * or of another type by its types, since its JSON Schemas let unknown members pass.
 */
export async function findManifestProblems(manifests: readonly Manifest[]): Promise<readonly string[]> {
  const values = manifests.flatMap((manifest) => {
    const model = Object.entries(MODELS).find(([kind]) => kind === manifest.kind)?.[1];
    if (model === undefined || model.apiVersion !== manifest.apiVersion) {
      return [`There is no model of ${manifest.apiVersion} ${manifest.kind}.`];
    }
    try {
      // The model's constructor takes what its type allows; what this manifest has is for `validate` to judge.
      Reflect.apply(model.prototype.validate, Reflect.construct(model, [manifest]), []);
      return [];
    } catch (error) {
      return [`${manifest.kind} ${manifest.metadata.name}: ${String(error)}`];
    }
  });
  return [...values, ...(await compile(manifests))];
}

/** Compiles the manifests as literals of Kubernetes' types; the compiler's errors. */
async function compile(manifests: readonly Manifest[]): Promise<readonly string[]> {
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, "run-"));
  try {
    const lines = manifests.map((manifest, at) => {
      const { apiVersion, kind } = manifest;
      const from = apiVersion.startsWith("monitoring.")
        ? "@kubernetes-models/prometheus-operator"
        : "kubernetes-models";
      const type = `import("${from}/${apiVersion}/${kind}", { with: { "resolution-mode": "import" } }).I${kind}`;
      return `export const manifest${at}: ${type} = ${JSON.stringify(manifest, undefined, 1)};`;
    });
    const file = join(folder, "manifests.mts");
    await writeFile(file, `${lines.join("\n")}\n`);
    const options = [
      "--ignoreConfig",
      "--noEmit",
      "--strict",
      "--skipLibCheck",
      "--module",
      "nodenext",
      "--types",
      "",
      "--pretty",
      "false",
    ];
    return await promisify(execFile)(COMPILER, [...options, file]).then(
      () => [],
      ({ stdout }: { stdout: string }) =>
        stdout
          .trim()
          .split("\n")
          .filter((line) => /error TS/.test(line)),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
