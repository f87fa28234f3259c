import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createQueryClient } from "./service/create-query-client.ts";
import { Connection } from "./shell/connection.tsx";
import { App } from "./shell/app.tsx";
import { loadTheme, showTheme } from "./shell/theme.ts";

showTheme(loadTheme());
const element = document.getElementById("console");
if (element !== null) {
  createRoot(element).render(
    <StrictMode>
      <QueryClientProvider client={createQueryClient()}>
        <Connection />
        <App />
      </QueryClientProvider>
    </StrictMode>,
  );
}
