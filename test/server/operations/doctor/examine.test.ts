import { execFile, spawnSync } from "node:child_process";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { holdOrAsk } from "../../../../server/instance/hold-or-ask.ts";
import { checkMemory } from "../../../../server/operations/doctor/check-machine.ts";
import { examine } from "../../../../server/operations/doctor/examine.ts";
import type { DoctorContext, Finding } from "../../../../server/operations/doctor/finding.ts";
import { agentFiles } from "../../../helpers/agent.ts";
import { startGitServer } from "../../../helpers/git-server.ts";
import { createRepository } from "../../../helpers/repository.ts";
import { openSmallDisk } from "../../../helpers/small-disk.ts";
import { openTestStore } from "../../../helpers/store.ts";
import { temporaryFolder } from "../../../helpers/temporary.ts";
import { startGitHubHost } from "../../../stand-ins/github/start-github-host.ts";
import { runIn } from "../../cli/run-in.ts";

const PATH = process.env["PATH"];

/** The findings that are not well, and those of the checks that are named. */
async function find(
  environment: Readonly<Record<string, string>>,
  {
    names = [],
    now = Date.now,
    tryAddress = async () => "",
  }: { readonly names?: readonly string[] } & Partial<Pick<DoctorContext, "now" | "tryAddress">> = {},
): Promise<readonly Finding[]> {
  const data = environment["CAIRN_DATA"] ?? join(await temporaryFolder(), "data");
  const findings = await examine({
    environment: { PATH, CAIRN_DATA: data, GIT_CONFIG_GLOBAL: "/dev/null", ...environment },
    folder: process.cwd(),
    now,
    tryAddress,
  });
  // A machine without bubblewrap, or with a slow disk, has findings of its own.
  const own = new Set(["sandbox.commands", "data.flush", "data.disk", "machine.memory", "machine.files"]);
  return findings.filter(({ check, status }) => names.includes(check) || (status !== "ok" && !own.has(check)));
}

async function startHost(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function createAgentRepository() {
  const repository = await createRepository();
  await repository.release("1.0.0", agentFiles({ version: "1.0.0", tools: {} }));
  return repository;
}

describe("the doctor", () => {
  test("finds nothing to correct where all is well, beside a repository on this machine", async () => {
    const { path } = await createAgentRepository();
    expect(
      await find({ CAIRN_REPO: path }, { names: ["git.access", "git.delay", "sandbox.handlers", "architect.types"] }),
    ).toEqual([
      {
        check: "git.access",
        status: "ok",
        message: `\`${path}\` can be read: 1 version tags, default branch \`main\`.`,
      },
      {
        check: "git.delay",
        status: "ok",
        message: "Pushes are noticed at once, because the folder is watched; the repository is also read every 30 s.",
      },
      { check: "sandbox.handlers", status: "ok", message: "Handlers have a process to run in." },
      { check: "architect.types", status: "ok", message: "Changes of code can have their types checked." },
    ]);
  });

  test("names every wrong variable and the misspelt one, and examines the machine all the same", async () => {
    const found = await find(
      { PORT: "http", CAIRN_RECORD_DAYS: "-1", CAIRN_DURABLITY: "always", CAIRN_TRUSTED_PROXY: "127.0.0.1" },
      { names: ["sandbox.handlers"] },
    );
    expect(found.map(({ check, status, message }) => [check, status, message])).toEqual([
      ["configuration", "fail", "PORT is `http`; it must be a whole number from 0 to 65535."],
      ["configuration", "fail", "CAIRN_RECORD_DAYS is `-1`; it must be a whole number from 0 to 3650."],
      [
        "configuration",
        "warn",
        "CAIRN_DURABLITY is set, and Cairn has no such variable; did you mean CAIRN_DURABILITY?",
      ],
      [
        "configuration",
        "warn",
        "CAIRN_TRUSTED_PROXY is set, and Cairn has no such variable; did you mean CAIRN_TRUSTED_PROXIES?",
      ],
      ["sandbox.handlers", "ok", "Handlers have a process to run in."],
    ]);
  });

  test("gives the command that closes a data folder to others, and names a restore that was cut short", async () => {
    const data = await temporaryFolder();
    await chmod(data, 0o755);
    expect(await find({ CAIRN_DATA: data })).toEqual([
      {
        check: "data.folder",
        status: "warn",
        message: `Other accounts may enter \`${data}\` (mode 0755).`,
        advice: `Run: chmod 700 '${data}'`,
      },
    ]);
    await writeFile(join(data, "form.json"), '{ "form": 99 }');
    expect(await find({ CAIRN_DATA: data })).toMatchObject([
      { check: "data.folder", status: "fail", message: expect.stringContaining("A newer Cairn has written") },
    ]);
    await mkdir(join(data, "instance"), { mode: 0o700 });
    await writeFile(join(data, "instance", "restoring"), "");
    expect(await find({ CAIRN_DATA: data })).toMatchObject([
      { check: "data.folder", status: "fail", advice: "Empty the folder and run `cairn restore` again." },
    ]);
  });

  test("finds a file in the place of the data folder, and a full disk", async (context) => {
    const file = join(await temporaryFolder(), "data");
    await writeFile(file, "");
    expect(await find({ CAIRN_DATA: file })).toMatchObject([{ check: "data.folder", status: "fail" }]);

    const disk = await openSmallDisk(context, 1);
    await chmod(disk, 0o700);
    await writeFile(join(disk, "filler"), Buffer.alloc(2 ** 20)).catch(() => undefined);
    const found = await find({ CAIRN_DATA: disk }, { names: ["data.disk", "data.flush"] });
    expect(found.map(({ check, status }) => [check, status])).toEqual([
      ["data.disk", "fail"],
      ["data.flush", "fail"],
    ]);
    expect(found[1]?.message).toContain("ENOSPC");
  });

  test("says what is wrong with the way to the repository: its path, its password, nobody there, no tags", async () => {
    const nowhere = join(await temporaryFolder(), "nowhere");
    expect(await find({ CAIRN_REPO: nowhere })).toMatchObject([
      {
        check: "git.access",
        status: "fail",
        message: `\`${nowhere}\` cannot be read: for this process there is no \`${nowhere}\`.`,
        advice: expect.stringMatching(/^Correct CAIRN_REPO\. A unit hides .*ProtectHome.*PrivateTmp/),
      },
    ]);
    const refusing = "sh -c 'echo ssh: connect to host h port 22: Connection refused >&2; exit 255'";
    expect(await find({ CAIRN_REPO: "ssh://git@127.0.0.1/a.git", GIT_SSH_COMMAND: refusing })).toMatchObject([
      { message: expect.stringContaining("Connection refused"), advice: expect.stringContaining("reaches the host") },
    ]);
    const { path } = await createAgentRepository();
    const server = await startGitServer(join(path, ".git"));
    server.password = "secret";
    const refused = await find({ CAIRN_REPO: server.url.replace("://", "://ada:wrong@") });
    expect(refused).toMatchObject([
      { check: "keys.secrets", status: "warn", message: "CAIRN_REPO has a password in its address." },
      { check: "git.access", status: "fail", advice: expect.stringContaining("Give a credential that may read it") },
    ]);
    expect(JSON.stringify(refused)).not.toContain("wrong");
    server.fail = { kind: "down" };
    expect(await find({ CAIRN_REPO: server.url })).toMatchObject([
      { check: "git.access", status: "fail", advice: expect.stringContaining("reaches the host") },
    ]);
    const unused = { CAIRN_REPO: path, CAIRN_GITHUB_WEBHOOK_SECRET: "env:HOOK", HOOK: "short" };
    expect(await find(unused)).toMatchObject([
      {
        check: "git.delay",
        status: "warn",
        message: expect.stringContaining("CAIRN_GITHUB_WEBHOOK_SECRET has no effect"),
      },
    ]);
    const empty = await createRepository();
    expect(await find({ CAIRN_REPO: empty.path })).toMatchObject([
      { check: "git.access", status: "warn", advice: expect.stringContaining("cairn release --push") },
    ]);
  });

  test("asks the forge for its rules, and finds a token that is wrong, unreadable or open to others", async () => {
    const host = await startGitHubHost();
    const { owner, repo, git } = host.state;
    const { path } = await createAgentRepository();
    await git.git(["fetch", "--quiet", path, "+refs/*:refs/*"]);
    const token = join(await temporaryFolder(), "token");
    const environment = {
      CAIRN_REPO: `${host.url}/${owner}/${repo}.git`,
      CAIRN_GITHUB_API: host.url,
      CAIRN_GITHUB_TOKEN: `file:${token}`,
    };
    expect((await find(environment)).map(({ check, status }) => `${check} ${status}`)).toEqual([
      "keys.secrets fail",
      "forge.credentials fail",
    ]);
    await writeFile(token, host.credentials.issueUserToken("ada"), { mode: 0o644 });
    const checks = (await find(environment, { names: ["forge.rules"] })).map(
      ({ check, status }) => `${check} ${status}`,
    );
    expect(checks.slice(0, 2)).toEqual(["keys.secrets warn", "forge.rules ok"]);
    expect(checks.at(-1)).toBe("git.delay warn");
    const short = { CAIRN_GITHUB_WEBHOOK_SECRET: "env:HOOK", HOOK: "short" };
    expect(await find({ ...environment, ...short })).toContainEqual({
      check: "forge.credentials",
      status: "fail",
      message: "The secret that CAIRN_GITHUB_WEBHOOK_SECRET names needs at least 16 characters.",
      advice: expect.stringContaining("openssl rand -hex 32"),
    });
    await writeFile(token, "ghp_wrong");
    await chmod(token, 0o600);
    const refused = await find(environment);
    expect(refused.map(({ check, status }) => `${check} ${status}`)).toContain("git.access fail");
    expect(JSON.stringify(refused)).not.toContain("ghp_wrong");
  });

  test("finds an endpoint of a model that refuses the key, lacks the model or is away", async () => {
    const url = await startHost((request, response) => {
      const isKnown = request.headers.authorization === "Bearer right";
      response.writeHead(isKnown ? 200 : 401).end(JSON.stringify({ data: [{ id: "small" }] }));
    });
    const given = { CAIRN_MODEL_URL: `${url}/v1`, CAIRN_MODEL_NAME: "small", CAIRN_MODEL_KEY: "env:KEY", KEY: "right" };
    expect(await find(given)).toEqual([]);
    expect(await find({ ...given, KEY: "old" })).toMatchObject([{ status: "fail", advice: "Renew CAIRN_MODEL_KEY." }]);
    expect(await find({ ...given, CAIRN_MODEL_NAME: "large" })).toMatchObject([
      { status: "fail", advice: "Set CAIRN_MODEL_NAME to one of: small." },
    ]);
    expect(await find({ ...given, CAIRN_MODEL_URL: "http://127.0.0.1:9/v1" })).toMatchObject([
      { check: "model.endpoint", status: "fail" },
    ]);
  });

  test("takes for an issuer only what names itself so and has keys", async () => {
    let metadata: unknown = "slept 5";
    let keys: unknown = { keys: [{ kty: "OKP" }] };
    const url = await startHost((request, response) => {
      response.end(JSON.stringify(request.url === "/keys" ? keys : metadata));
    });
    const given = { CAIRN_OAUTH_ISSUER: url, CAIRN_PUBLIC_URL: "https://cairn.example.com" };
    const look = async (more = {}) => (await find({ ...given, ...more }, { names: ["auth.issuer"] }))[0]?.message;
    expect(await look()).toBe("The issuer answers 200, 200, and with no metadata in JSON.");
    metadata = { issuer: `${url}/other`, jwks_uri: `${url}/keys` };
    expect(await look()).toBe(`The issuer \`${url}\` names itself \`${url}/other\`.`);
    metadata = { issuer: url, jwks_uri: `${url}/keys` };
    expect(await look()).toBe(`The issuer \`${url}\` answers, and has keys.`);
    expect(await look({ CAIRN_OAUTH_JWKS_URI: `${url}/keys` })).toBe(`The issuer \`${url}\` answers, and has keys.`);
    keys = { keys: [] };
    expect(await look()).toBe(`There are no keys of the issuer at \`${url}/keys\`.`);
  });

  test("finds a clock that differs from that of the services, and too little memory", async () => {
    const url = await startHost((_request, response) => void response.end(JSON.stringify({ data: [] })));
    const given = { CAIRN_MODEL_URL: `${url}/v1`, CAIRN_MODEL_NAME: "small" };
    const names = ["machine.clock"];
    expect(await find(given, { names })).toMatchObject([{ status: "ok" }]);
    expect(await find(given, { names, now: () => Date.now() - 45_000 })).toMatchObject([{ status: "warn" }]);
    expect(await find(given, { names, now: () => Date.now() + 600_000 })).toMatchObject([
      { status: "fail", advice: "Keep the clock by NTP: `timedatectl set-ntp true`." },
    ]);
    const GIB = 2 ** 30;
    expect(
      [checkMemory(4 * GIB, 0), checkMemory(4 * GIB, GIB / 4), checkMemory(GIB / 8, 2 ** 63)].map(
        ({ status }) => status,
      ),
    ).toEqual(["ok", "warn", "fail"]);
  });

  test("names the process that uses the data folder, whether it answers or hangs, and leaves it the folder", async () => {
    const data = await temporaryFolder();
    await chmod(data, 0o700);
    const names = ["data.use"];
    const use = await holdOrAsk({ data, command: "serve", now: () => 0 });
    if (!("instance" in use)) throw new Error("the folder is taken");
    const hanging = await find({ CAIRN_DATA: data }, { names });
    expect(hanging).toMatchObject([{ check: "data.use", status: "warn" }]);
    expect(hanging[0]?.message).toContain("is in use by `cairn serve` (process ");
    const store = await openTestStore();
    const end = await use.instance.answer(store, () => undefined);
    expect(await find({ CAIRN_DATA: data }, { names })).toMatchObject([
      {
        status: "ok",
        message: expect.stringMatching(/^The data folder is in use by `cairn serve` .*, which answers\.$/),
      },
    ]);
    await end();
    await use.instance.release();
    expect(await find({ CAIRN_DATA: data }, { names })).toEqual([
      { check: "data.use", status: "ok", message: "No process uses the data folder." },
    ]);
  });

  test("does not take itself for a process that uses the data folder, where it looks for tokens", async () => {
    const data = await temporaryFolder();
    await chmod(data, 0o700);
    await mkdir(join(data, "instance"), { mode: 0o700 });
    await writeFile(join(data, "instance", "process.lock"), "");
    const tryAddress = async () => {
      const use = await holdOrAsk({ data, command: "doctor", now: () => 0 });
      if ("instance" in use) onTestFinished(() => use.instance.release());
      return "";
    };
    expect(await find({ CAIRN_DATA: data }, { names: ["data.use"], tryAddress })).toEqual([
      { check: "data.use", status: "ok", message: "No process uses the data folder." },
    ]);
  });

  test("says why nothing changes a repository that people work in, and what its rules are where settings choose so", async () => {
    const { path } = await createAgentRepository();
    const names = ["forge.rules"];
    expect((await find({ CAIRN_REPO: path }, { names }))[0]?.message).toBe(
      `The Architect changes nothing: People work in \`${path}\`, so it is changed only where CAIRN_FORGE=local says so, and while the branch that changes land on is not checked out there (\`git switch --detach\` leaves it).`,
    );
    const chosen = await find({ CAIRN_REPO: path, CAIRN_FORGE: "local", CAIRN_FORGE_BRANCH: "main" }, { names });
    expect(chosen[0]?.message).toBe("Rules of `main`: the check `cairn` has to pass.");
  });

  test("warns of a bare repository that this process cannot write, and says how a unit may", async (context) => {
    const disk = await openSmallDisk(context);
    const { path } = await createAgentRepository();
    const bare = join(disk, "bare.git");
    await promisify(execFile)("git", ["clone", "--quiet", "--bare", "--no-local", path, bare]);
    spawnSync("mount", ["-o", "remount,ro", disk]);
    expect(await find({ CAIRN_REPO: bare })).toEqual([
      {
        check: "forge.rules",
        status: "warn",
        message: `The Architect changes nothing: The repository \`${bare}\` cannot be written by this process (EROFS), so nothing changes it.`,
        advice: expect.stringContaining("ReadWritePaths"),
      },
    ]);
    expect(await find({ CAIRN_REPO: bare, CAIRN_FORGE: "local" })).toMatchObject([
      { check: "forge.rules", status: "fail", advice: expect.stringContaining("ReadWritePaths") },
    ]);
  });

  test("masks a secret also where the configuration is wrong and shows it", async () => {
    const found = await find({ PORT: "a-pasted-token", CAIRN_GITHUB_TOKEN: "a-pasted-token" });
    expect(found.filter(({ check }) => check === "configuration")).not.toEqual([]);
    expect(JSON.stringify(found)).not.toContain("a-pasted-token");
  });

  test("is a command: a line for each finding with what to do, JSON, and an exit code", async () => {
    const folder = await temporaryFolder();
    const given = { environment: { PATH, PORT: "http" } };
    const shown = await runIn(folder, ["doctor", "--data", "data"], given);
    expect(shown.code).toBe(1);
    expect(shown.printed).toMatch(
      /^fail {2}configuration {7}PORT is `http`.*\n +-> The service does not start with it/m,
    );
    const empty = await runIn(folder, ["doctor", "--data", ""], given);
    expect([empty.code, empty.printed]).toEqual([2, expect.stringContaining("The value of --data is empty")]);
    const { printed, code } = await runIn(folder, ["doctor", "--data", "data", "--json"], given);
    const { status, findings } = JSON.parse(printed) as { status: string; findings: readonly Finding[] };
    expect([code, status, findings[0]?.check]).toEqual([1, "fail", "configuration"]);
  });
});
