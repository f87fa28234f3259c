import { spawnSync } from "node:child_process";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../helpers/temporary.ts";

const UNIT = "deploy/systemd/cairn.service";
const COMMAND = "/usr/local/bin/cairn";
/** Settings that mount over /proc or forbid namespaces, so that bubblewrap could not start, and one that stops V8. */
const EXCEPTIONS = new Set([
  "RestrictNamespaces",
  "ProtectKernelLogs",
  "ProtectKernelTunables",
  "ProtectHostname",
  "ProtectProc",
  "ProcSubset",
  "MemoryDenyWriteExecute",
]);

test("deploy/systemd/cairn.service is a unit that systemd understands wholly", async (context) => {
  if (spawnSync("systemd-analyze", ["--version"]).error !== undefined) {
    const reason = "systemd-analyze is not installed (`apt-get install systemd`)";
    if (process.env["CI"] !== undefined) throw new Error(reason);
    process.stderr.write(`SKIPPED "${context.task.name}": ${reason}\n`);
    return context.skip(reason);
  }
  const folder = await temporaryFolder();
  const [unit, command] = [join(folder, "cairn.service"), join(folder, "cairn")];
  await writeFile(command, "#!/bin/sh\n");
  await chmod(command, 0o755);
  await writeFile(unit, (await readFile(UNIT, "utf8")).replace(COMMAND, command));
  const { status, stderr } = spawnSync("systemd-analyze", ["verify", unit], { encoding: "utf8" });
  expect({ status, stderr: stderr.split("\n").filter((line) => line.includes("cairn")) }).toEqual({
    status: 0,
    stderr: [],
  });
});

test("deploy/systemd/cairn.service leaves open what sandboxes and isolates need", async () => {
  const lines = (await readFile(UNIT, "utf8")).split("\n");
  const names = lines.filter((line) => /^[A-Z]\w+=/.test(line)).map((line) => line.replace(/=.*/, ""));
  expect(names).toEqual(expect.arrayContaining(["NoNewPrivileges", "CapabilityBoundingSet", "SystemCallFilter"]));
  expect(names.filter((name) => EXCEPTIONS.has(name))).toEqual([]);
});

test("the doctor's command in docs/operations.md has each setting of the unit and its drop-ins, but how it starts and ends", async () => {
  const folder = await temporaryFolder();
  const dropIn = "# /etc/systemd/system/cairn.service.d/override.conf\n[Service]\nReadWritePaths=/srv/git/agent.git\n";
  await writeFile(join(folder, "cat"), `# ${UNIT}\n${await readFile(UNIT, "utf8")}\n${dropIn}`);
  const programs = {
    systemctl: `cat '${folder}/cat'`,
    sudo: `"$@"`,
    "systemd-run": `printf '%s\\n' "$@"`,
  };
  for (const [name, script] of Object.entries(programs)) {
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  const page = await readFile("docs/operations.md", "utf8");
  const command = page.split("\n").filter((line) => /^ {4}(?:settings=|\(IFS)/.test(line));
  const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", command.join("\n")], {
    encoding: "utf8",
    env: { PATH: `${folder}:${process.env["PATH"]}` },
  });
  expect(stderr).toBe("");
  const given = stdout.split("\n").filter((line) => line.startsWith("--property="));
  const unit = (await readFile(UNIT, "utf8")).replace(/[^]*\[Service\]/, "").replace(/\[Install\][^]*/, "");
  const own = unit.split("\n").filter((line) => /^[A-Z]/.test(line));
  const starting = /^(?:Type|ExecStart|Restart|RestartPreventExitStatus|RestartSec|TimeoutStopSec|KillMode|RemoveIPC)=/;
  const expected = own.filter((line) => !starting.test(line)).map((line) => `--property=${line}`);
  expect(given).toEqual([...expected, "--property=ReadWritePaths=/srv/git/agent.git"]);
  expect(given).toEqual(
    expect.arrayContaining(["--property=User=cairn", "--property=ProtectHome=yes", "--property=PrivateTmp=yes"]),
  );
  expect(stdout).toMatch(/^--pipe\n--wait\n--collect\n--quiet\n[^]*\ncairn\ndoctor\n$/);
});
