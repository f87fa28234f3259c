import { describeForge } from "../contract.ts";
import { openLocalBench } from "../open-local-bench.ts";

describeForge("of a local repository", openLocalBench);
