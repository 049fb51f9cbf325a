/** The entry of `/embed.html`: the chat as another site frames it. */

import "@/shell/tokens.css";
import "@/shell/base.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { loadConfig } from "@/config";
import { Session } from "@/session/session";
import { UnavailableScreen } from "@/shell/SignInScreen";
import { isAllowedOrigin, type Peer, parseFragment, postToPeer } from "../protocol";
import { EmbeddedApp } from "./EmbeddedApp";
import { frameStorage } from "./frameStorage";
import { hostSignIn } from "./hostSignIn";
import { NotFramed, SiteNotAllowed } from "./RefusalScreens";

const appearance = parseFragment(window.location.hash);
if (appearance.theme !== "system") document.documentElement.dataset.theme = appearance.theme;
const root = createRoot(document.getElementById("root") as HTMLElement);

async function start(host: Peer): Promise<void> {
  try {
    const config = await loadConfig();
    if (!isAllowedOrigin(host.origin, config.embed_origins, window.location.origin)) {
      postToPeer(host, { type: "refused" });
      root.render(<SiteNotAllowed site={host.origin} />);
      return;
    }
    const store = frameStorage();
    const session: Session = new Session(
      hostSignIn(host, () => void session.start()),
      { store },
    );
    root.render(
      <StrictMode>
        <EmbeddedApp {...{ config, session, store, host }} mode={appearance.mode} />
      </StrictMode>,
    );
    await session.start();
  } catch {
    root.render(<UnavailableScreen onRetry={() => void start(host)} />);
  }
}

if (window.parent === window || !appearance.host) root.render(<NotFramed />);
else {
  // The browser hands it over only if the site really is where the address says.
  const host: Peer = { window: window.parent, origin: appearance.host };
  postToPeer(host, { type: "hello" });
  void start(host);
}
