import { quoteShell } from "../../text/quote-shell.ts";

/** One cause of a failure, by the words that name it, and what to do about it. */
interface Cause {
  readonly words: RegExp;
  readonly advice: string;
}

/**
 * Advice by subject and cause. The first row whose words stand in the reason counts; the last row of each fits all. No advice weakens
 * the machine, or takes from the running service what it needs: people follow it as root, without a second look.
 */
const CAUSES = {
  repository: [
    {
      words: /could not read (?:Username|Password)|Authentication failed|Permission denied|403|publickey/i,
      advice:
        "Give a credential that may read it (CAIRN_GITHUB_TOKEN, a GitHub App, or a deploy key for ssh), or renew the one that is set.",
    },
    {
      words: /Host key verification/i,
      advice:
        "Add the host's key to the service account's `~/.ssh/known_hosts`: `ssh-keyscan` prints it; compare it with the one that the host publishes.",
    },
    {
      words: /not found|does not exist|does not appear to be a git repository|404/i,
      advice:
        "Correct CAIRN_REPO. Hosts also answer so for a private repository and a credential that may not read it.",
    },
    {
      words: /(?:)/,
      advice:
        "See whether this machine reaches the host: name resolution, firewall, proxy (`https_proxy`), certificates.",
    },
  ],
  "forge credentials": [
    {
      words: /npm install/,
      advice:
        "Install the package, with the `--global` and `--prefix` that Cairn was installed with (docs/install.md).",
    },
    {
      words: /at least \d+ characters/,
      advice: "Make a longer one, such as by `openssl rand -hex 32`, and set the same at the webhook on GitHub.",
    },
    {
      words: /(?:)/,
      advice: "Write the credential to that file, readable by the service's account, or correct the variable.",
    },
  ],
  forge: [
    {
      words: /cannot be written/,
      advice:
        "Let the service's account own the repository, and in a unit name it in ReadWritePaths (docs/deploy.md); or set CAIRN_FORGE=none where nobody sends feedback.",
    },
    {
      words: /needs git|newer/,
      advice: "Install a newer git; until then, versions are served and nothing is changed.",
    },
    {
      words: /(?:)/,
      advice: "Give a credential that may read and change the repository (docs/forge.md lists its permissions).",
    },
  ],
  "file system": [
    {
      words: /EROFS|read-only file system/i,
      advice:
        "This process has it read-only. In a unit, name it in StateDirectory or ReadWritePaths; in a container, mount a volume there that can be written.",
    },
    {
      words: /ENOSPC|EDQUOT|no space|quota/i,
      advice: "Make room, or move the data folder to a larger disk: stop the service, copy the folder, set CAIRN_DATA.",
    },
    { words: /(?:)/, advice: "See that the disk is whole, and that the service's account may write there." },
  ],
  namespaces: [
    {
      words: /not installed/,
      advice: "Install `bubblewrap` and `util-linux` (`apt-get install bubblewrap util-linux`).",
    },
    {
      words: /mkdtemp|cairn-probe|ENOSPC|EROFS/,
      advice:
        "Correct what `machine.temporary` or `data.disk` says first: the sandbox needs a folder for temporary files.",
    },
    {
      words: /namespace|uid map|permitted|permission|unshare/i,
      advice:
        "Allow user namespaces to that program alone: on Ubuntu by an AppArmor profile for it (docs/workspaces.md), in a unit without `RestrictNamespaces`; most containers forbid them. Without them, everything else works.",
    },
    { words: /(?:)/, advice: "Commands need Linux with bubblewrap and util-linux; everything else works without." },
  ],
} as const satisfies Readonly<Record<string, readonly Cause[]>>;

/** Finds what to do about a failure, by its reason. */
export function adviseOn(subject: keyof typeof CAUSES, reason: string): string {
  return CAUSES[subject].find(({ words }) => words.test(reason))?.advice ?? "";
}

/** A file whose rights are to change, and the account that has to keep its own. */
export interface Closing {
  readonly path: string;
  /** Numbers of the file's account and group, and its mode. */
  readonly uid: number;
  readonly gid: number;
  readonly mode: number;
  /** Numbers of this process's account and groups. */
  readonly account: number;
  readonly groups: readonly number[];
}

/**
 * Advises how a file is closed to all accounts but the service's, which can still read it afterwards. Root reads everything, so there
 * the service's own account has to be put in.
 */
export function adviseClosing({ path, uid, gid, mode, account, groups }: Closing): string {
  const file = quoteShell(path);
  if (account !== 0 && uid === account) return `Run: chmod 600 ${file}`;
  if (account !== 0 && groups.includes(gid) && (mode & 0o040) !== 0) return `Run: chmod o-rwx ${file}`;
  const [group, who] =
    account === 0 ? ["GROUP", " GROUP is that of the service's account."] : [String(groups[0] ?? account), ""];
  return `Run as root, in this order: chgrp ${group} ${file} && chmod 0640 ${file}.${who}`;
}
