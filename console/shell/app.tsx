import { Suspense, useState } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { Link, Redirect, Route, Switch, useLocation } from "wouter";
import { words } from "#words/shell.ts";
import { type Session, useOtherTabs, useSession } from "../service/session.ts";
import { Failure } from "../parts/failure.tsx";
import { Heading } from "../parts/heading.tsx";
import { Loading } from "../parts/loading.tsx";
import { Text } from "../parts/text.tsx";
import { Menu } from "./menu.tsx";
import { Reader, toReaderName } from "./reader.tsx";
import { readReturn, RETURN_PATH } from "./read-return.ts";
import type { Routes } from "./routes.ts";
import { SignIn } from "./sign-in.tsx";
import { ThemeSwitch } from "./theme-switch.tsx";
import { Titled } from "./titled.tsx";

const HOME = "/console/versions";

/** The console: who the reader is, the menu, and the page of the address. */
export function App({ routes }: { readonly routes: Routes }) {
  const session = useSession();
  useOtherTabs();
  if (session.isError) {
    return (
      <main id="main">
        <Failure error={session.error} retry={() => void session.refetch()} />
      </main>
    );
  }
  if (session.data === undefined) return <Loading />;
  return (
    <>
      <a className="skip" href="#main">
        {words.skip}
      </a>
      <Header session={session.data} />
      {session.data.signed_in ? <Frame session={session.data} routes={routes} /> : <SignIn {...session.data} />}
    </>
  );
}

/** The menu and the page, which begin anew for another reader: what one has typed or been shown is not the next one's. */
function Frame({ session, routes }: { readonly session: Session; readonly routes: Routes }) {
  const [first] = useState(session.reader);
  return (
    <>
      <div role="status">{session.reader !== first && <BecameOther key={session.reader} session={session} />}</div>
      <div className="frame" key={session.reader ?? ""}>
        <Menu session={session} />
        <Pages routes={routes} />
      </div>
    </>
  );
}

/** Says that the page has another reader now, as long as it is the page that it happened on. */
function BecameOther({ session }: { readonly session: Session }) {
  const [address] = useLocation();
  const [at] = useState(address);
  if (address !== at) return null;
  return (
    <p className="away">
      <Text>{words.becameOther(toReaderName(session))}</Text>
    </p>
  );
}

function Header({ session }: { readonly session: Session }) {
  return (
    <header className="top">
      <Link href={HOME} className="brand">
        Cairn
      </Link>
      <div className="top-end">
        {session.signed_in && <Reader session={session} />}
        <ThemeSwitch />
      </div>
    </header>
  );
}

function Pages({ routes }: { readonly routes: Routes }) {
  const [address] = useLocation();
  return (
    <main id="main">
      <ErrorBoundary resetKeys={[address]} FallbackComponent={Broken}>
        <Suspense fallback={<Loading />}>
          <Switch>
            {routes.map(([page, Component]) => (
              <Route key={page.path} path={page.path}>
                <Titled title={page.title} subject={page.subject} />
                <Component key={address} />
              </Route>
            ))}
            <Route path="/">
              <Redirect to={HOME} replace />
            </Route>
            <Route path={RETURN_PATH}>
              <Redirect to={readReturn(window.location).returnTo} replace />
            </Route>
            <Route>
              <Titled title={words.unknownPage} subject={undefined} />
              <Heading>{words.unknownPage}</Heading>
              <p>
                <Link href={HOME}>{words.begin}</Link>
              </p>
            </Route>
          </Switch>
        </Suspense>
      </ErrorBoundary>
    </main>
  );
}

/** Stands for a page that could not be shown. Browsers and React keep code that did not come, until the page is loaded anew. */
function Broken({ error }: { readonly error: unknown }) {
  return <Failure error={error} retry={() => window.location.reload()} />;
}
