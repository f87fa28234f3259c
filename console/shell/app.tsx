import { Suspense } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { Link, Redirect, Route, Switch, useLocation } from "wouter";
import { words } from "#words/shell.ts";
import { type Session, useSession } from "../service/session.ts";
import { Failure } from "../parts/failure.tsx";
import { Heading } from "../parts/heading.tsx";
import { Loading } from "../parts/loading.tsx";
import { Menu } from "./menu.tsx";
import { Reader } from "./reader.tsx";
import { readReturn, RETURN_PATH } from "./read-return.ts";
import type { Routes } from "./routes.ts";
import { SignIn } from "./sign-in.tsx";
import { ThemeSwitch } from "./theme-switch.tsx";
import { Titled } from "./titled.tsx";

const HOME = "/console/versions";

/** The console: who the reader is, the menu, and the page of the address. */
export function App({ routes }: { readonly routes: Routes }) {
  const session = useSession();
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
      {session.data.signed_in ? (
        <div className="frame">
          <Menu session={session.data} />
          <Pages routes={routes} />
        </div>
      ) : (
        <SignIn provider={session.data.provider} />
      )}
    </>
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
