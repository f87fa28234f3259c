import { describe, expect, test } from "vitest";
import { adviseClosing, adviseOn } from "../../../../server/operations/doctor/advice.ts";

const FILE = { path: "/etc/cairn/token", uid: 0, gid: 0, mode: 0o644, account: 998, groups: [998] };

describe("advice", () => {
  test.each([
    ["repository", "git@host: Permission denied (publickey). fatal: Could not read", "Give a credential"],
    ["repository", "ssh: connect to host h port 2222: Connection refused fatal: Could not read", "reaches the host"],
    ["repository", "Host key verification failed. fatal: Could not read", "known_hosts"],
    ["forge credentials", 'needs `octokit`; `npm install "octokit@^5"` beside Cairn', "Install the package"],
    ["forge credentials", "The secret needs at least 16 characters", "openssl rand"],
    ["forge credentials", "The file that CAIRN_GITHUB_TOKEN names is empty", "Write the credential"],
    ["file system", "EROFS: read-only file system, open 'x'", "ReadWritePaths"],
    ["file system", "ENOSPC: no space left on device", "Make room"],
    ["namespaces", "EACCES: permission denied, mkdtemp '/tmp/cairn-probe-XXXXXX'", "machine.temporary"],
    ["namespaces", "bwrap: setting up uid map: Permission denied", "AppArmor profile"],
    ["namespaces", "`bwrap` is not installed (package `bubblewrap`)", "apt-get install"],
  ] as const)("on %s follows the cause: %s", (subject, reason, expected) => {
    expect(adviseOn(subject, reason)).toContain(expected);
    expect(adviseOn(subject, reason)).not.toMatch(/sysctl|unconfined|chmod 777/);
  });

  test("on closing a file leaves it to the service's account", () => {
    expect(adviseClosing(FILE)).toBe(
      "Run as root, in this order: chgrp 998 '/etc/cairn/token' && chmod 0640 '/etc/cairn/token'.",
    );
    expect(adviseClosing({ ...FILE, account: 0, groups: [0] })).toBe(
      "Run as root, in this order: chgrp GROUP '/etc/cairn/token' && chmod 0640 '/etc/cairn/token'. GROUP is that of the service's account.",
    );
    expect(adviseClosing({ ...FILE, gid: 998 })).toBe("Run: chmod o-rwx '/etc/cairn/token'");
    // Its group may not read it, so others' right is the only one.
    expect(adviseClosing({ ...FILE, gid: 998, mode: 0o604 })).toContain("chmod 0640");
    expect(adviseClosing({ ...FILE, uid: 998, path: "/a'b" })).toBe(String.raw`Run: chmod 600 '/a'\''b'`);
  });
});
