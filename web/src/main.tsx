/** Entry point of `index.html`. */

import "@/shell/tokens.css";
import "@/shell/base.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { cacheConfig, loadConfig, type PageConfig, readCachedConfig } from "@/config";
import { oidcSignIn } from "@/session/oidcSignIn";
import { Session } from "@/session/session";
import { UnavailableScreen } from "@/shell/StatusScreens";
import { App } from "./App";

const root = createRoot(document.getElementById("root") as HTMLElement);

/** Starts with the settings of the last visit, so that nothing waits for the network, then applies the current ones. */
async function start(): Promise<void> {
  const cached = readCachedConfig();
  if (cached) show(cached);
  try {
    const config = await loadConfig();
    if (cacheConfig(config) || !cached) show(config);
  } catch {
    if (!cached) root.render(<UnavailableScreen onRetry={() => void start()} />);
  }
}

function show(config: PageConfig): void {
  const session = new Session(oidcSignIn(config));
  root.render(
    <StrictMode>
      <App key={JSON.stringify(config)} config={config} session={session} />
    </StrictMode>,
  );
  void session.start();
}

void start();
