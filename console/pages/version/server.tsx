import { useQuery } from "@tanstack/react-query";
import { words } from "#words/version.ts";
import type { VersionDetail } from "../../service/answers.ts";
import { serverSurface } from "../../service/surfaces.ts";
import type { ToolDefinition } from "../../service/tool-definitions.ts";
import { Copyable } from "../../parts/command-box.tsx";
import { Failure } from "../../parts/failure.tsx";
import { OutsideLink } from "../../parts/outside-link.tsx";
import { Text } from "../../parts/text.tsx";
import { Tool } from "./tool.tsx";

type ServerDetail = NonNullable<VersionDetail["servers"]>[number];

interface Props {
  readonly version: string;
  readonly server: ServerDetail;
  /** Absent: they are on their way. */
  readonly tools: readonly ToolDefinition[] | undefined;
}

/** One MCP server of a version: its address, links that add it to clients, tools, prompts and resources. */
export function Server({ version, server, tools }: Props) {
  const { name, description, mcp_endpoint: path } = server;
  return (
    <section className="server">
      <h2>
        <Text>{name}</Text>
      </h2>
      <Text block>{description}</Text>
      {path !== undefined && <Connect server={server} path={path} />}
      <h3>{words.tools}</h3>
      {tools?.length === 0 && <p className="quiet">{words.noTools}</p>}
      <ul className="tools">
        {tools?.map((tool) => (
          <Tool key={tool.name} version={version} tool={tool} isServed={path !== undefined} />
        ))}
      </ul>
      {path !== undefined && <Offers version={version} server={name} />}
    </section>
  );
}

function Connect({ server: { name, install }, path }: { readonly server: ServerDetail; readonly path: string }) {
  return (
    <details>
      <summary>
        {words.connect}: <Text>{name}</Text>
      </summary>
      <p>{words.connectAt}</p>
      <Copyable text={`${globalThis.location.origin}${path}`} />
      <ul className="links">
        {Object.entries(install ?? {}).map(([client, { link }]) => (
          <li key={client}>
            <OutsideLink to={link}>
              {words.installIn} {client}
            </OutsideLink>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The prompts and resources of a server, where it has some. */
function Offers({ version, server }: { readonly version: string; readonly server: string }) {
  const surface = useQuery(serverSurface(version, server));
  const { prompts = [], resources = [] } = surface.data ?? {};
  return (
    <>
      {surface.isError && <Failure error={surface.error} retry={() => void surface.refetch()} />}
      {prompts.length > 0 && (
        <>
          <h3>{words.prompts}</h3>
          <dl className="offers">
            {prompts.map(({ name, description = "", arguments: list = [] }) => (
              <div key={name}>
                <dt>
                  <code>
                    <Text>{name}</Text>
                  </code>
                </dt>
                <dd>
                  <Text block>{description}</Text>
                  {list.map(({ name: argument, description: what = "", required = false }) => (
                    <div key={argument} className="limit">
                      <Text>{`${words.argument(argument, required)}: ${what}`}</Text>
                    </div>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
      {resources.length > 0 && (
        <>
          <h3>{words.resources}</h3>
          <dl className="offers">
            {resources.map(({ uri, name, description, mimeType }) => (
              <div key={uri}>
                <dt>
                  <code>
                    <Text>{uri}</Text>
                  </code>
                </dt>
                <dd>
                  <Text block>{description ?? name}</Text>
                  {mimeType !== undefined && (
                    <div className="limit">
                      <Text>{mimeType}</Text>
                    </div>
                  )}
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </>
  );
}
