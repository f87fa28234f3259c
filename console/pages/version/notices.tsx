import { Link } from "wouter";
import { words } from "#words/version.ts";
import type { VersionDetail } from "../../service/answers.ts";
import { toVersionAddress } from "../../parts/addresses.ts";
import { Text } from "../../parts/text.tsx";

/** Says that a version ends, why, and what to use instead. */
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

/** Says why a version is quarantined: where, what is wrong, and what would be right. */
export function Quarantine({ problems }: { readonly problems: VersionDetail["problems"] }) {
  return (
    <section className="notice" data-kind="bad">
      <h2>{words.quarantined}</h2>
      <ul>
        {problems.map(({ file, line, column, rule, message, fix }) => (
          <li key={`${file}:${line}:${column}:${rule}:${message}`}>
            <code>
              <Text>{`${file}:${line}:${column}`}</Text>
            </code>
            <Text block>{message}</Text>
            <p>
              <strong>{words.fix}: </strong>
              <Text>{fix}</Text>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
