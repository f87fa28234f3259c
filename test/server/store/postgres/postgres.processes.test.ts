import { describe } from "vitest";
import { hasPostgres } from "../../../stand-ins/postgres.ts";
import { describeKills } from "../contract/processes.ts";

// No `describeFullDisk`: the disk is the server's, which refuses by itself.
describe.runIf(hasPostgres("kills of a process with a store on postgres"))("the store on postgres", () =>
  describeKills("postgres"),
);
