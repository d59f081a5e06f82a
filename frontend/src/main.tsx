/** Starts the application in the page. */
import "./app/layers.css";
import "@mantine/core/styles.layer.css";
import "@mantine/notifications/styles.layer.css";
import "./app/tokens.css";
import "./app/base.css";
import "./app/mantine.css";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Providers } from "./app/providers";
import { makeQueryClient } from "./app/query-client";
import { makeRouter } from "./app/router";
import { mountSprite } from "./components/sprite";

const root = document.getElementById("root");
if (!root) throw new Error("The page has no #root element to start in.");

mountSprite(document);
const queryClient = makeQueryClient();
const router = makeRouter(queryClient);

createRoot(root).render(
  <StrictMode>
    <Providers queryClient={queryClient}>
      <RouterProvider router={router} />
    </Providers>
  </StrictMode>,
);
