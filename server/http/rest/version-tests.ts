import { readFileSync } from "node:fs";
import { IncomingMessage } from "node:http";
import type { ServerRequest } from "srvx";
import type { Caller } from "../../auth/caller.ts";
import { CairnError } from "../../errors.ts";
import { type TestReport, type Tests, toTestsDocument } from "../../examples/test-reports.ts";
import type { Audit } from "../../kernel/audit/audit.ts";
import { toSentence } from "../../kernel/stages/check-input.ts";
import { compileSchema } from "../../versions/manifests/schema/compile-schema.ts";
import type { Registry } from "../../versions/registry/registry-types.ts";
import { defined } from "../../json/defined.ts";
import { readJson } from "../body.ts";
import { toJsonDocument } from "../document.ts";
import type { Reply } from "../reply.ts";

/** Body of a report. */
interface ReportedTests {
  readonly commit: string;
  readonly status: "pass" | "fail";
  /** Address of the run; absent where it has none. */
  readonly run?: string;
}

export interface VersionTestsOptions {
  readonly registry: Registry;
  readonly audit: Audit;
  /** Loads what is known of commits' tests. */
  readonly loadTests: (commits: readonly string[]) => Promise<ReadonlyMap<string, Tests>>;
  /** Keeps a report durably, in the place of the reporter's last one about the commit. */
  readonly saveTestReport: (report: TestReport) => Promise<void>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Answers of `/versions/{version}/tests`. */
export interface VersionTests {
  /** `GET`: all findings; NOT_FOUND where there are none. */
  show(name: string): Promise<Reply>;
  /** `POST`: keeps a result of tests elsewhere; CONFLICT unless a tag names the version, and its commit is the tested one. */
  report(request: ServerRequest, name: string, caller: Caller): Promise<Reply>;
}

export function createVersionTests(options: VersionTestsOptions): VersionTests {
  const { registry, audit, now } = options;
  const read = createReader();
  return Object.freeze<VersionTests>({
    async show(name) {
      const { commit } = (await registry.describe(name)).record;
      const tests = (await options.loadTests([commit])).get(commit);
      if (tests !== undefined) return { document: toJsonDocument(toTestsDocument(commit, tests)), keep: "checked" };
      const how = `\`cairn test ${commit.slice(0, 10)} --data <folder>\` runs them and keeps what came of it`;
      throw new CairnError("NOT_FOUND", `Nobody has tested \`${commit}\`; ${how}.`);
    },
    async report(request, name, { tenant, actor }) {
      const sent = request.runtime?.node?.req;
      if (!(sent instanceof IncomingMessage)) {
        throw new TypeError("Bodies are read from requests of Node's HTTP/1.1 only.");
      }
      const { commit, status, run } = read(await readJson(sent));
      const { record } = await registry.describe(name).catch(withoutNames);
      if (record.commit !== commit) {
        throw new CairnError("CONFLICT", `\`${name}\` is served with another commit than \`${commit}\`.`);
      }
      // The job of a pull request could otherwise report in advance on the version that the commit becomes.
      if (record.tag === undefined) {
        throw new CairnError("CONFLICT", `No tag names \`${commit}\`; tests are reported of tagged versions only.`);
      }
      const reporter = `${tenant}/${actor}`;
      const details = { version: record.tag, status, ...defined({ run }) };
      await audit.changed({ change: "tests.reported", tenant, actor, target: commit, details });
      const report: TestReport = {
        schemaVersion: 1,
        commit,
        source: "reported",
        reporter,
        status,
        // The service's own clock: with a time of the sender's, an old result could pass for the newest.
        lastRun: new Date(now()).toISOString(),
        ...defined({ summaryUri: run }),
        checks: [],
      };
      await options.saveTestReport(report);
      return { document: toJsonDocument(report) };
    },
  });
}

/** Names no versions: a token for reports may not list them. */
function withoutNames(error: unknown): never {
  const isUnknown = error instanceof CairnError && error.name === "VERSION_NOT_FOUND";
  throw isUnknown ? new CairnError("VERSION_NOT_FOUND", "There is no such version here, or not yet.") : error;
}

function createReader(): (body: unknown) => ReportedTests {
  const url = new URL("../../../schemas/tests-reported.schema.json", import.meta.url);
  const check = compileSchema(JSON.parse(readFileSync(url, "utf8")) as Readonly<Record<string, unknown>>);
  return (body) => {
    const violations = check(body);
    if (violations.length === 0) return body as ReportedTests;
    throw new CairnError("BAD_REQUEST", `The body is wrong: ${toSentence(violations)}`, { details: violations });
  };
}
