import { createLoader } from "../../server/versions/load-version.ts";

/** The loader that test files of a worker share: a schema that many of them have is compiled once. */
export const loader = createLoader();
