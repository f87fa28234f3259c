import { describeStore } from "../contract.ts";

describeStore("postgres");
