import "@/shell/tokens.css";
import "@/shell/base.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { cacheConfig, loadConfig, type PageConfig, readCachedConfig } from "@/config";
import { oidcSignIn } from "@/session/oidcSignIn";
import { Session } from "@/session/session";
import { UnavailableScreen } from "@/shell/SignInScreen";
import { App } from "./App";

const root = createRoot(document.getElementById("root") as HTMLElement);

/** Begins with what the last visit was told, so that nothing waits for the network; what is told now counts. */
async function start(): Promise<void> {
  const kept = readCachedConfig();
  if (kept) show(kept);
  try {
    const config = await loadConfig();
    if (cacheConfig(config) || !kept) show(config);
  } catch {
    if (!kept) root.render(<UnavailableScreen onRetry={() => void start()} />);
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
