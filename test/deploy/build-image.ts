import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { type AtEnd, temporaryFolder } from "../helpers/temporary.ts";

const run = promisify(execFile);
const OUTPUT_LIMIT = 2 ** 28;

/** The part of an image's configuration that containers run by, as Docker's format has it. */
export interface ImageConfig {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly WorkingDir: string;
  readonly Volumes: Readonly<Record<string, object>>;
  readonly ExposedPorts: Readonly<Record<string, object>>;
  readonly StopSignal: string;
  readonly Healthcheck: { readonly Test: readonly string[] };
}

export interface Image {
  /** Folder with the files of a container that is not running. */
  readonly root: string;
  readonly config: ImageConfig;
  /** Bytes of all layers, unpacked. */
  readonly size: number;
}

/**
 * Makes a Debian like `debian:trixie-slim` in a tar file: no documentation but the licences. It believes the authorities that
 * this machine believes, since the network may have one of its own.
 */
const DEBIAN = [
  "--variant=minbase",
  "--include=ca-certificates",
  ...["path-exclude=/usr/share/doc/*", "path-include=/usr/share/doc/*/copyright"].map((one) => `--dpkgopt=${one}`),
  ...["man", "locale", "info"].map((folder) => `--dpkgopt=path-exclude=/usr/share/${folder}/*`),
  `--customize-hook=csplit -sz -f "$1/usr/local/share/ca-certificates/machine-" -b %03d.crt /etc/ssl/certs/ca-certificates.crt "/-BEGIN/" "{*}"`,
  `--customize-hook=chroot "$1" update-ca-certificates >/dev/null 2>&1`,
  "trixie",
];

/** Builds the image of `deploy/Containerfile` with buildah, on a Debian that mmdebstrap makes: no registry of images is asked. */
export async function buildImage(atEnd: AtEnd): Promise<Image> {
  const folder = await temporaryFolder(atEnd);
  const tar = join(folder, "base.tar");
  await run("mmdebstrap", [...DEBIAN, tar], { maxBuffer: OUTPUT_LIMIT });
  const scratch = await buildah("from", "scratch");
  await buildah("add", scratch, tar, "/");
  await buildah("commit", "--rm", scratch, "cairn-test-base");
  const options = ["--isolation", "chroot", "--format", "docker", "--layers=false"];
  const base = ["--build-arg", "BASE=localhost/cairn-test-base"];
  await buildah("bud", ...options, ...base, "--file", "deploy/Containerfile", "--tag", "cairn-test", ".");
  const container = await buildah("from", "--pull=never", "localhost/cairn-test");
  atEnd(async () => {
    await buildah("rm", container);
  });
  const { Docker } = JSON.parse(await buildah("inspect", "--type", "image", "localhost/cairn-test"));
  const root = await buildah("mount", container);
  const { stdout } = await run("du", ["--summarize", "--bytes", "--one-file-system", root]);
  return { root, config: Docker.config, size: Number.parseInt(stdout, 10) };
}

/** Runs buildah; its last line. */
async function buildah(...args: readonly string[]): Promise<string> {
  const { stdout } = await run("buildah", args, { maxBuffer: OUTPUT_LIMIT });
  return args[0] === "inspect" ? stdout : (stdout.trim().split("\n").at(-1) ?? "");
}
