import { readFile } from "node:fs/promises";
import { posix } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";

const { dirname, relative } = posix;
const read = (file: string) => readFile(file, "utf8");
const isBelow = (folder: string, path: string) => !relative(folder, path).startsWith("..");

/** Reads the folders that the unit may write to, apart from its own `/tmp`, which other processes do not see. */
async function readUnit() {
  const unit = await read("deploy/systemd/cairn.service");
  expect(unit).toMatch(/^ProtectSystem=strict$/m);
  const [, names = ""] = /^StateDirectory=(.*)$/m.exec(unit) ?? [];
  const [, data = ""] = /\bCAIRN_DATA=(\S+)/.exec(unit) ?? [];
  return { data, writable: names.split(" ").map((name) => `/var/lib/${name}`) };
}

async function readImage() {
  const image = await read("deploy/Containerfile");
  const [, folders = ""] = /^ .* install --directory --owner=cairn .*--mode=0700 (.*)$/m.exec(image) ?? [];
  return { data: /\bCAIRN_DATA=(\S+)/.exec(image)?.[1] ?? "", owned: folders.split(" ") };
}

async function readComposition() {
  const { data, owned } = await readImage();
  const { cairn } = parse(await read("deploy/compose.yaml")).services;
  const targets: readonly string[] = cairn.volumes.map((volume: string) => volume.split(":")[1]);
  // A new volume belongs to root unless the image has the folder.
  return { data, writable: targets.filter((target) => owned.includes(target)) };
}

async function readRunCommand() {
  const { data, owned } = await readImage();
  const [command = ""] = /docker run --detach[^]*? cairn\n/.exec(await read("docs/containers.md")) ?? [];
  const targets = [...command.matchAll(/--volume [\w-]+:(\S+)/g)].map(([, target = ""]) => target);
  return { data, writable: targets.filter((target) => owned.includes(target)) };
}

async function readPod() {
  const { spec } = parse(await read("deploy/kubernetes/base/stateful-set.yaml")).spec.template;
  const [{ env, volumeMounts }] = spec.containers;
  const data: string = env.find(({ name }: { name: string }) => name === "CAIRN_DATA").value;
  const mounts: readonly { name: string; mountPath: string }[] = volumeMounts;
  return { data, writable: mounts.filter(({ name }) => name === "data").map(({ mountPath }) => mountPath) };
}

test.each([
  { way: "the unit", prefix: /sudo -u cairn /, pages: ["operations", "upgrade"], load: readUnit },
  { way: "the container", prefix: /docker exec cairn /, pages: ["containers"], load: readRunCommand },
  { way: "the composition", prefix: /compose.yaml exec cairn /, pages: ["containers"], load: readComposition },
  { way: "the pod", prefix: /kubectl .* exec cairn-0 -- /, pages: ["kubernetes"], load: readPod },
])("backups of $way go where the service may write, outside its data folder", async ({ prefix, pages, load }) => {
  const { data, writable } = await load();
  const pattern = new RegExp(`${prefix.source}cairn backup (\\S+?)(?= |\`|$)`, "gm");
  for (const page of pages) {
    const targets = [...(await read(`docs/${page}.md`)).matchAll(pattern)].map(([, target = ""]) => target);
    expect(targets, page).not.toEqual([]);
    for (const target of targets) {
      expect(
        writable.filter((folder) => isBelow(folder, dirname(target))),
        target,
      ).toHaveLength(1);
      expect(isBelow(data, target), target).toBe(false);
    }
  }
});
