import { useQuery } from "@tanstack/react-query";
import { words } from "#words/settings.ts";
import { health } from "../../service/health.ts";
import { Badge } from "../../parts/badge.tsx";
import { Failure } from "../../parts/failure.tsx";
import { Loading } from "../../parts/loading.tsx";
import { Text } from "../../parts/text.tsx";
import { Time } from "../../parts/time.tsx";

/** Each check of the service, with what it observed where the reader may see that. */
export function HealthView() {
  const { data, error, isError, refetch } = useQuery(health);
  if (isError) return <Failure error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  return (
    <section className="part">
      <h2>
        {words.health} <Badge state={data.status} />
      </h2>
      <Time at={data.time} />
      <dl className="facts">
        {Object.entries(data.checks).map(([name, { status, observedValue, observedUnit = "", output }]) => (
          <div key={name} className="fact">
            <dt>
              <Text>{name}</Text>
            </dt>
            <dd>
              <Badge state={status} />{" "}
              {observedValue !== undefined && <Text>{`${toShort(observedValue)} ${observedUnit}`}</Text>}{" "}
              {output !== undefined && <Text>{output}</Text>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function toShort(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
