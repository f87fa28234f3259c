import { describeForge } from "../contract.ts";
import { openGitHubBench } from "../open-github-bench.ts";

describeForge("of GitHub", openGitHubBench);
