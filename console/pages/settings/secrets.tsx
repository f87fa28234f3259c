import { useQuery } from "@tanstack/react-query";
import { words } from "#words/settings.ts";
import { ownSecrets } from "../../service/health.ts";
import { Failure } from "../../parts/failure.tsx";
import { Loading } from "../../parts/loading.tsx";
import { Text } from "../../parts/text.tsx";
import { Time } from "../../parts/time.tsx";

/** The reader's own secrets by name, with when each was set. */
export function Secrets() {
  const { data, error, isError, refetch } = useQuery(ownSecrets);
  if (isError) return <Failure error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  return (
    <section className="part">
      <h2>{words.secrets}</h2>
      <p>{data.secrets.length === 0 ? words.noSecrets : words.secretsWhy}</p>
      <ul>
        {data.secrets.map(({ name, setAt }) => (
          <li key={name}>
            <Text>{name}</Text> <Time at={setAt} />
          </li>
        ))}
      </ul>
    </section>
  );
}
