// The program of a process that erases the types of one module, from standard input to standard output, and ends.
import { readFileSync, writeSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dropPrivileges } from "./drop-privileges.ts";

dropPrivileges();
const source = readFileSync(0, "utf8");
writeSync(1, JSON.stringify(erase(source)));

function erase(text: string): { readonly code: string } | { readonly problem: string } {
  try {
    return { code: stripTypeScriptTypes(text) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
