import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createQueryClient } from "./service/create-query-client.ts";
import { Connection } from "./shell/connection.tsx";
import { App } from "./shell/app.tsx";
import { createRoutes } from "./shell/routes.ts";
import { loadTheme, showTheme } from "./shell/theme.ts";

showTheme(loadTheme());
const element = document.getElementById("console");
if (element !== null) {
  const client = createQueryClient();
  const routes = createRoutes(client);
  createRoot(element).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <Connection />
        <App routes={routes} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
