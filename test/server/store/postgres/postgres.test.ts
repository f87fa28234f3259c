import { describe } from "vitest";
import { hasPostgres } from "../../../stand-ins/postgres.ts";
import { describeStore } from "../contract.ts";

describe.runIf(hasPostgres("the store on postgres"))("with a server", () => describeStore("postgres"));
