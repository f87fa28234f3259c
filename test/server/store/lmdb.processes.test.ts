import { describeStoreOfProcesses } from "./contract.ts";

describeStoreOfProcesses("lmdb");
