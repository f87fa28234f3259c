import type { ReactNode } from "react";
import { words } from "#words/audit.ts";

/** One thing that was compared, and whether it fits. What does not is announced. */
export function Check({ fits, children }: { readonly fits: boolean; readonly children: ReactNode }) {
  return (
    <li>
      <span className="badge" data-kind={fits ? "passed" : "failed"}>
        {fits ? words.checked : words.notFit}
      </span>{" "}
      <span role={fits ? undefined : "alert"}>{children}</span>
    </li>
  );
}
