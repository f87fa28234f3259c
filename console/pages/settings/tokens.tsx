import { useQuery } from "@tanstack/react-query";
import { words } from "#words/settings.ts";
import type { Tokens as TokenList } from "../../service/answers.ts";
import { tokens } from "../../service/service-state.ts";
import { Badge } from "../../parts/badge.tsx";
import { Failure } from "../../parts/failure.tsx";
import { Loading } from "../../parts/loading.tsx";
import { Text } from "../../parts/text.tsx";
import { Time } from "../../parts/time.tsx";

/** API tokens: whose each is, what it is for, and until when. Their secrets are kept nowhere. */
export function Tokens() {
  const { data, dataUpdatedAt: now, error, isError, refetch } = useQuery(tokens);
  if (isError) return <Failure error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  return (
    <section className="part">
      <h2>{words.tokenList}</h2>
      <p>{data.tokens.length === 0 ? words.noTokens : words.tokens}</p>
      <ul>
        {data.tokens.map((token) => (
          <Token key={token.id} token={token} now={now} />
        ))}
      </ul>
    </section>
  );
}

function Token({ token, now }: { readonly token: TokenList["tokens"][number]; readonly now: number }) {
  const { id, name, actor, roles, scopes, created_at: created, expires_at: expires, revoked_at: revoked } = token;
  const isOver = expires !== undefined && Date.parse(expires) <= now;
  return (
    <li>
      <Text>{name}</Text> <code>{id}</code>{" "}
      {revoked !== undefined ? (
        <Badge state={words.revoked} />
      ) : isOver ? (
        <Badge state={words.expired} />
      ) : (
        <Badge state={words.valid} />
      )}
      <p className="quiet">
        <Text>{actor}</Text>
        <span>
          {words.roles}: <Text>{roles.join(", ") || words.none}</Text>
        </span>
        <span>
          {words.scopes}: <Text>{scopes.join(", ") || words.none}</Text>
        </span>
        <span>
          {words.created} <Time at={created} />
        </span>
        {expires !== undefined && (
          <span>
            {words.expires} <Time at={expires} />
          </span>
        )}
      </p>
    </li>
  );
}
