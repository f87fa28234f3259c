import { words } from "#words/version.ts";
import type { VersionDetail } from "../../service/answers.ts";
import { Text } from "../../parts/text.tsx";

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
