import { configureGlobal } from "fast-check";
import { beforeEach } from "vitest";
import { findReason } from "./left-out.ts";
import { isThroughNodes } from "./through-nodes.ts";

// Every property of every file begins with the seed that vitest.config.ts chose, or was given.
configureGlobal({ seed: Number(process.env["CAIRN_SEED"]) });
// For the workers alone: what they start has its memory as users have it.
delete process.env["GLIBC_TUNABLES"];

if (isThroughNodes()) {
  beforeEach(({ task, skip }) => {
    const reason = findReason(task);
    if (reason !== undefined) skip(reason);
  });
}
