import { startGitHubHost } from "../../../stand-ins/github/start-github-host.ts";
import { describeLanding, describeMovedBase } from "../contract/landing.ts";
import { openRemoteGitHubBench } from "../open-remote-github-bench.ts";
import { createInstantTime } from "../open-github-bench.ts";

/** What github.com is tried by, tried itself: over the stand-in, which is asked like github.com. */
const open = async ({ required }: { readonly required: readonly string[] }) => {
  const host = await startGitHubHost();
  const { owner, repo } = host.state;
  host.state.allowAutoMerge = true;
  const token = host.credentials.issueUserToken("ada");
  const address = `${host.url}/${owner}/${repo}.git`;
  const { time } = createInstantTime();
  return openRemoteGitHubBench({ owner, repo, token, api: host.url, address, time }, required);
};

// The contract itself is tried by open-github-forge.test.ts; of this, landing says whether the bench of github.com works.
describeLanding(open);
if (process.env["CAIRN_LONG"]) describeMovedBase(open);
