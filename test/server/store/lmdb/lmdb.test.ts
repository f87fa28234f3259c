import { describeStore } from "../contract.ts";

describeStore("lmdb");
