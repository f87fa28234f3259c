import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { CONFIG_VARIABLES } from "../../server/config/config.ts";
import { createShared, temporaryFolder } from "../helpers/temporary.ts";
import { findManifestProblems, type Manifest } from "./check-manifests.ts";
import { type KubernetesTools, loadKubernetesTools } from "./kubernetes-tools.ts";

const KUBERNETES = "deploy/kubernetes";
const CHART = "deploy/helm/cairn";
/** Name of the `ConfigMap` that Kustomize makes, which writes checksums in these letters. */
const CHECKSUM = /"cairn-[bcdfghkmt2456789]{10}"/g;
const shared = createShared();
/** The two examples of the page. */
let overlay: string;
let values: string;

beforeAll(async () => {
  const page = await readFile("docs/kubernetes.md", "utf8");
  [overlay = "", values = ""] = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = ""]) => text);
});
afterAll(shared.undoAll);

const toManifests = (text: string): readonly Manifest[] => parseAllDocuments(text).map((document) => document.toJS());

/** Without what the two ways must do differently: checksums of the configuration, and the namespace, which Helm adds when it installs. */
function toComparable(manifests: readonly Manifest[]): readonly Manifest[] {
  const text = JSON.stringify(manifests, (key, value: unknown) =>
    key === "namespace" || (key === "annotations" && JSON.stringify(value).includes("checksum/config"))
      ? undefined
      : value,
  );
  const all: Manifest[] = JSON.parse(text.replaceAll(CHECKSUM, '"cairn"'));
  return all.toSorted((one, other) => toName(one).localeCompare(toName(other)));
}

const toName = ({ kind, metadata }: Manifest) => `${kind} ${metadata.name}`;

describe("without Kustomize and Helm", () => {
  const FILES = ["service-account", "service", "network-policy"].map((name) => `${KUBERNETES}/base/${name}.yaml`);

  test("the schemas catch a misspelt member, a wrong type, and a value that is not allowed", async () => {
    const manifests = (await Promise.all(FILES.map((file) => readFile(file, "utf8")))).flatMap(toManifests);
    expect(await findManifestProblems(manifests)).toEqual([]);
    const policy = JSON.stringify(manifests.at(-1));
    const change = (from: string, to: string) => {
      expect(policy).toContain(from);
      return findManifestProblems([JSON.parse(policy.replace(from, to))]);
    };
    expect((await change('"policyTypes"', '"policyType"')).join()).toContain(`'"policyType"' does not exist in type`);
    expect((await change('"port":53', '"port":true')).join()).toContain("must be");
    expect((await change('"networking.k8s.io/v1"', '"networking.k8s.io/v2"')).join()).toContain("There is no model of");
  });

  test("the pod for restoring has the claim, the folders and the rights of the service's pod", async () => {
    const [pod, set] = await Promise.all(
      ["restore-pod", "base/stateful-set"].map(async (name) =>
        parse(await readFile(`${KUBERNETES}/${name}.yaml`, "utf8")),
      ),
    );
    expect(await findManifestProblems([pod])).toEqual([]);
    const { spec } = set.spec.template;
    expect(pod.spec.securityContext).toEqual(spec.securityContext);
    expect(pod.spec.containers[0].securityContext).toEqual(spec.containers[0].securityContext);
    expect(pod.spec.containers[0].volumeMounts).toEqual(spec.containers[0].volumeMounts);
    const [{ metadata }] = set.spec.volumeClaimTemplates;
    expect(pod.spec.volumes[0]).toEqual({
      name: metadata.name,
      persistentVolumeClaim: { claimName: `${metadata.name}-${set.metadata.name}-0` },
    });
  });

  test("the examples of the page and the chart name variables that Cairn reads", async () => {
    const { environment, secrets } = parse(values);
    const literals = [...overlay.matchAll(/- (CAIRN_\w+)=/g)].map(([, name = ""]) => name);
    const named = [...Object.keys(environment), ...secrets.map(({ variable }: { variable: string }) => variable)];
    expect(literals.toSorted()).toEqual(Object.keys(environment).toSorted());
    expect(Object.keys(CONFIG_VARIABLES)).toEqual(expect.arrayContaining(named));
  });
});

/** npm brings kubectl and Helm for this platform only. */
const canRender = process.platform === "linux" && process.arch === "x64";
if (!canRender)
  process.stderr.write("SKIPPED rendering for Kubernetes: npm has no kubectl and Helm for this platform\n");

describe.runIf(canRender)("rendered by the real Kustomize and Helm", () => {
  let tools: KubernetesTools;
  let folder: string;
  beforeAll(async () => {
    tools = await loadKubernetesTools();
    folder = await temporaryFolder(shared.atEnd);
    await cp("deploy", join(folder, "cairn/deploy"), { recursive: true });
    await mkdir(join(folder, "production"));
    await writeFile(join(folder, "values.yaml"), values);
  }, 300_000);

  async function kustomize(text: string): Promise<readonly Manifest[]> {
    await writeFile(join(folder, "production/kustomization.yaml"), text);
    return toManifests(await tools.kustomize(join(folder, "production")));
  }
  const helm = async (...more: readonly string[]) =>
    toManifests(await tools.helm("template", "cairn", CHART, "--values", join(folder, "values.yaml"), ...more));

  test("the examples of the page make the same objects, and Kubernetes' schemas find nothing wrong", async () => {
    const [one, other] = [await kustomize(overlay), await helm()];
    expect(one.map(toName).toSorted()).toEqual([
      expect.stringMatching(/^ConfigMap cairn-/),
      "NetworkPolicy cairn",
      "NetworkPolicy cairn-monitoring",
      "Service cairn",
      "ServiceAccount cairn",
      "ServiceMonitor cairn",
      "StatefulSet cairn",
    ]);
    expect(toComparable(other)).toEqual(toComparable(one));
    expect(await findManifestProblems([...one, ...other])).toEqual([]);
    expect(one.map(({ metadata }) => metadata.namespace)).toEqual(one.map(() => "cairn"));
  });

  test("the base and the chart make the same objects without monitoring and secrets", async () => {
    const [one] = [toManifests(await tools.kustomize(`${KUBERNETES}/base`))];
    const minimal = join(folder, "minimal.yaml");
    await writeFile(
      minimal,
      "image: cairn\nenvironment: { CAIRN_REPO: https://github.com/acme/agent, CAIRN_PUBLIC_URL: https://cairn.example.com }\n",
    );
    const other = toManifests(await tools.helm("template", "cairn", CHART, "--values", minimal));
    expect(toComparable(other)).toEqual(toComparable(one));
    expect(await findManifestProblems(one)).toEqual([]);
  });

  test("the pod keeps to the profile `restricted`, and has time to drain", async () => {
    const set = (await kustomize(overlay)).find(({ kind }) => kind === "StatefulSet");
    expect(set).toMatchObject({
      spec: {
        replicas: 1,
        template: {
          spec: {
            automountServiceAccountToken: false,
            terminationGracePeriodSeconds: 45,
            securityContext: { runAsNonRoot: true, runAsUser: 10001, seccompProfile: { type: "RuntimeDefault" } },
            containers: [
              {
                image: "registry.example.com/cairn:0.1.0",
                securityContext: {
                  allowPrivilegeEscalation: false,
                  readOnlyRootFilesystem: true,
                  capabilities: { drop: ["ALL"] },
                },
              },
            ],
          },
        },
      },
    });
  });

  test("every value of the chart reaches the objects, and the schemas find nothing wrong there either", async () => {
    const full = join(folder, "full.yaml");
    await writeFile(
      full,
      JSON.stringify({
        imagePullSecrets: [{ name: "registry" }],
        storage: { size: "20Gi", className: "fast" },
        network: { egress: [{ to: [{ ipBlock: { cidr: "10.1.2.3/32" } }], ports: [{ protocol: "TCP", port: 22 }] }] },
        secrets: [{ variable: "OTEL_EXPORTER_OTLP_HEADERS", secret: "traces", key: "headers" }],
        nodeSelector: { disk: "fast" },
        tolerations: [{ key: "cairn", operator: "Exists", effect: "NoSchedule" }],
        affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
      }),
    );
    const manifests = await helm("--values", full, "--set", "environment.CAIRN_ALLOWED_HOSTS=cairn.cairn.svc");
    expect(await findManifestProblems(manifests)).toEqual([]);
    const text = JSON.stringify(manifests);
    // 0440
    expect(text).toContain('"projected":{"defaultMode":288,');
    for (const part of [
      '"imagePullSecrets":[{"name":"registry"}]',
      '"storageClassName":"fast"',
      '"storage":"20Gi"',
      '"cidr":"10.1.2.3/32"',
      '{"name":"OTEL_EXPORTER_OTLP_HEADERS","value":"file:/run/secrets/cairn/OTEL_EXPORTER_OTLP_HEADERS"}',
      '"nodeSelector":{"disk":"fast"}',
      '"effect":"NoSchedule"',
      '"preferredDuringSchedulingIgnoredDuringExecution":[]',
      '"value":"$(POD_IP),cairn.cairn.svc"',
    ]) {
      expect(text).toContain(part);
    }
  });

  test("a misspelt member fails, of a manifest, of the chart's values and of a kustomization", async () => {
    const set = (await kustomize(overlay)).find(({ kind }) => kind === "StatefulSet");
    const misspelt = JSON.parse(
      JSON.stringify(set).replace('"terminationGracePeriodSeconds"', '"terminationGracePeriod"'),
    );
    expect((await findManifestProblems([misspelt])).join()).toContain(
      `'"terminationGracePeriod"' does not exist in type`,
    );
    await expect(helm("--set", "storage.sise=1Gi")).rejects.toThrow("additional properties 'sise' not allowed");
    await expect(helm("--set", "image=")).rejects.toThrow("minLength: got 0, want 1");
    await expect(kustomize(overlay.replace("configMapGenerator:", "configMapGenerators:"))).rejects.toThrow(
      'unknown field "configMapGenerators"',
    );
  });

  test("Helm's own linter finds nothing wrong with the chart", async () => {
    expect(await tools.helm("lint", "--strict", CHART, "--values", join(folder, "values.yaml"))).toContain(
      "0 chart(s) failed",
    );
    expect((await readdir(`${CHART}/templates`)).length).toBeGreaterThan(5);
  });
});
