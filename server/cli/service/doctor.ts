import { examine } from "../../operations/doctor/examine.ts";
import type { Finding } from "../../operations/doctor/finding.ts";
import { printable } from "../../text/printable.ts";
import { createCommand, type CreateCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { refuseEmpty, SERVICE_OPTIONS } from "./run-service.ts";

/** `cairn doctor [repository]`: everything outside a service that it needs, each with what to do. */
export const createDoctorCommand: CreateCommand = ({ environment, folder, now, out }) =>
  createCommand({
    meta: {
      name: "doctor",
      description: "Check configuration, data folder, repository and machine, and say what to do",
    },
    args: {
      repository: { type: "positional", required: false, description: "Path or URL (default: CAIRN_REPO)" },
      data: SERVICE_OPTIONS.data,
      json: { type: "boolean", description: "Print findings as JSON" },
    },
    async run({ args }) {
      refuseEmpty({ "--data": args.data, "the repository": args.repository });
      const given = { CAIRN_DATA: args.data, CAIRN_REPO: args.repository };
      const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
      const findings = await examine({
        environment: { ...environment, ...set },
        folder,
        now,
      });
      const [failures, warnings] = (["fail", "warn"] as const).map(
        (status) => findings.filter((finding) => finding.status === status).length,
      );
      const status = failures ? "fail" : warnings ? "warn" : "ok";
      if (args.json === true) out(JSON.stringify({ status, findings }, undefined, 2));
      else {
        for (const line of findings.flatMap(toLines)) out(line);
        out(`\n${status}: ${findings.length} findings, ${failures} to correct, ${warnings} to look at`);
      }
      return status === "fail" ? EXIT.FAILED : EXIT.OK;
    },
  });

function toLines({ status, check, message, advice }: Finding): readonly string[] {
  const line = `${status.padEnd(4)}  ${check.padEnd(18)}  ${printable(message)}`;
  return advice === undefined ? [line] : [line, `${" ".repeat(26)}-> ${printable(advice)}`];
}
