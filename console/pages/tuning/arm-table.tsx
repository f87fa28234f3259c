import { words } from "#words/tuning.ts";
import type { Arm } from "../../service/tuning.ts";
import { ColumnHeads } from "../../parts/column-heads.tsx";
import { Text } from "../../parts/text.tsx";

/** Significant digits of a reward. */
const DIGITS = 3;

/** Each arm with its rewards, mean and interval; it scrolls within itself where the page is narrow. */
export function ArmTable({ experiment, arms }: { readonly experiment: string; readonly arms: readonly Arm[] }) {
  return (
    // Its own scrolling has to work by keyboard, so it takes the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="wide" role="region" aria-label={words.arms(experiment)} tabIndex={0}>
      <table>
        <ColumnHeads names={[words.arm, words.rewards, words.pending, words.mean, words.interval, words.probability]} />
        <tbody>
          {arms.map(({ arm, rewards, pending, mean, interval, probability }) => (
            <tr key={arm}>
              <th scope="row">
                <Text>{arm}</Text>
              </th>
              <td>{rewards}</td>
              <td>{pending}</td>
              <td>{mean === null ? "" : toFigure(mean)}</td>
              <td>{interval === null ? "" : words.intervalOf(toFigure(interval[0]), toFigure(interval[1]))}</td>
              <td>{probability.toFixed(DIGITS)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function toFigure(value: number): string {
  return value.toPrecision(DIGITS);
}
