import { describeSharedStore } from "../store/contract.ts";

describeSharedStore("asked");
