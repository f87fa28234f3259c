import { type KeyboardEvent, useId, useRef, useState } from "react";
import { Link, matchRoute, useLocation, useRouter } from "wouter";
import { words } from "#words/shell.ts";
import { PAGES } from "../pages/pages.ts";
import { hasScope, type Session } from "../service/session.ts";
import { GROUPS } from "../parts/page.ts";

/** The pages that the reader may use, in groups: beside the page where there is room, else behind a button. */
export function Menu({ session }: { readonly session: Session }) {
  const id = useId();
  const [address] = useLocation();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const shown = PAGES.filter(
    ({ menu, scope }) => menu !== undefined && (scope === undefined || hasScope(session, scope)),
  );
  const current = shown.find(({ path }) => address.startsWith(path));
  const { parser } = useRouter();
  const here = PAGES.find(({ path }) => matchRoute(parser, path, address)[0]);
  const close = ({ key }: KeyboardEvent) => {
    if (key !== "Escape" || !isOpen) return;
    setOpen(false);
    button.current?.focus();
  };
  return (
    // Only a way out: all that is in it works by itself.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <nav className="menu" aria-label={words.menu} onKeyDown={close}>
      <button ref={button} type="button" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        {words.openMenu} {current?.menu ?? here?.title}
      </button>
      <div id={id} className="menu-pages" data-open={isOpen}>
        {GROUPS.map((group) => (
          <div key={group}>
            <p id={`${id}-${group}`} className="menu-group">
              {words.groups[group]}
            </p>
            <ul aria-labelledby={`${id}-${group}`}>
              {shown
                .filter((page) => page.group === group)
                .map(({ path, menu }) => (
                  <li key={path}>
                    <Link
                      href={path}
                      aria-current={current?.path === path ? "page" : undefined}
                      onClick={() => setOpen(false)}
                    >
                      {menu}
                    </Link>
                  </li>
                ))}
            </ul>
          </div>
        ))}
      </div>
    </nav>
  );
}
