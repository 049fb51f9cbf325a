/** Entry point of `embed.html`, the chat inside the iframe of another site. */

import "@/shell/tokens.css";
import "@/shell/base.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { loadConfig } from "@/config";
import { Session } from "@/session/session";
import { UnavailableScreen } from "@/shell/StatusScreens";
import { isAllowedOrigin, type Peer, parseFragment, postToPeer } from "../protocol";
import { EmbeddedApp } from "./EmbeddedApp";
import { frameStorage } from "./frameStorage";
import { hostSignIn } from "./hostSignIn";
import { NotFramed, SiteNotAllowed } from "./RefusalScreens";

const params = parseFragment(window.location.hash);
if (params.theme !== "system") document.documentElement.dataset.theme = params.theme;
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
        <EmbeddedApp {...{ config, session, store, host }} mode={params.mode} />
      </StrictMode>,
    );
    await session.start();
  } catch {
    root.render(<UnavailableScreen onRetry={() => void start(host)} />);
  }
}

if (window.parent === window || !params.host) root.render(<NotFramed />);
else {
  // The browser delivers the message only if the site really has the origin that the address claims.
  const host: Peer = { window: window.parent, origin: params.host };
  postToPeer(host, { type: "hello" });
  void start(host);
}
