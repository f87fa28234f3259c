import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { words } from "#words/parts.ts";
import { evidence } from "../service/work.ts";
import { Diff } from "./diff.tsx";
import { Failure } from "./failure.tsx";
import { Loading } from "./loading.tsx";
import { Text } from "./text.tsx";

/** The piece that people look at first. */
const PATCH = "patch.diff";
/** Characters that are shown of a piece. */
const MAX_LENGTH = 200_000;

interface Props {
  readonly version: string;
  readonly task: string;
  readonly run: string;
  readonly pieces: readonly { readonly name: string; readonly bytes: number }[];
}

/** The evidence of a run: each piece is loaded when it is opened, the change at once. */
export function EvidenceList({ version, task, run, pieces }: Props) {
  const sorted = pieces.toSorted((a, b) => Number(b.name === PATCH) - Number(a.name === PATCH));
  return (
    <ul className="evidence">
      {sorted.map(({ name, bytes }) => (
        <li key={name}>
          <Piece version={version} task={task} run={run} name={name} bytes={bytes} />
        </li>
      ))}
    </ul>
  );
}

type PieceProps = Omit<Props, "pieces"> & { readonly name: string; readonly bytes: number };

function Piece({ name, bytes, ...of }: PieceProps) {
  const [isOpen, setOpen] = useState(name === PATCH);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <Text>{name}</Text> <span className="size">{words.bytes(bytes)}</span>
      </summary>
      {isOpen && <Content name={name} {...of} />}
    </details>
  );
}

function Content({ version, task, run, name }: Omit<PieceProps, "bytes">) {
  const { data, error, isError, refetch } = useQuery(evidence(version, task, run, name));
  if (isError) return <Failure error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  if (name.endsWith(".diff")) return <Diff text={data} />;
  return (
    <div className="piece">
      <Text block>{data.slice(0, MAX_LENGTH)}</Text>
      {data.length > MAX_LENGTH && <p className="quiet">{words.cutCharacters(MAX_LENGTH, data.length)}</p>}
    </div>
  );
}
