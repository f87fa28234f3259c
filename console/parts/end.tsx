import { Link } from "wouter";
import { words } from "#words/parts.ts";
import type { VersionDetail } from "../service/answers.ts";
import { toVersionAddress } from "./addresses.ts";
import { Text } from "./text.tsx";

/** Says that a version ends or has ended, why, and what to use instead. */
export function End({ deprecated }: { readonly deprecated: NonNullable<VersionDetail["deprecated"]> }) {
  const { since, sunset, successor, reason, retired } = deprecated;
  return (
    <section className="notice" data-kind={retired ? "bad" : "unsure"}>
      <h2>{retired ? words.retired : words.deprecated(since, sunset)}</h2>
      <Text block>{reason}</Text>
      {successor !== undefined && (
        <p>
          {words.successor}:{" "}
          <Link href={toVersionAddress(successor)}>
            <Text>{successor}</Text>
          </Link>
        </p>
      )}
    </section>
  );
}
