import { words } from "#words/compare.ts";
import type { VersionDifference } from "../../service/answers.ts";
import { ColumnHeads } from "../../parts/column-heads.tsx";
import { Text } from "../../parts/text.tsx";

/** Bumps that the numbers of the tree and of its tools say, next to what the change needs. */
export function Claims({ claims }: { readonly claims: VersionDifference["claims"] }) {
  return (
    <section>
      <h2>{words.claims}</h2>
      <table>
        <ColumnHeads names={[words.subject, words.claimed, words.needed, words.least, words.verdict]} />
        <tbody>
          {claims.map(({ tool = words.tree, from, to, claimed, required, needed, kept }) => (
            <tr key={tool}>
              <th scope="row">
                <Text>{tool}</Text>
                <div className="limit">
                  <Text>{`${from} - ${to}`}</Text>
                </div>
              </th>
              <td>{words.levels[claimed]}</td>
              <td>{words.levels[required]}</td>
              <td>
                <Text>{needed}</Text>
              </td>
              <td>
                <span className="badge" data-kind={kept ? "served" : "quarantined"}>
                  {kept ? words.enough : words.tooLittle}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
