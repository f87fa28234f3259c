import { configureGlobal } from "fast-check";

// Every property of every file begins with the seed that vitest.config.ts chose, or was given.
configureGlobal({ seed: Number(process.env["CAIRN_SEED"]) });
// For the workers alone: what they start has its memory as users have it.
delete process.env["GLIBC_TUNABLES"];
