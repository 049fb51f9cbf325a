/** The embedded chat: one conversation at a time, for the site's signed-in user. */

import { type ReactNode, useEffect, useState } from "react";
import { Router } from "wouter";
import { memoryLocation } from "wouter/memory-location";
import { BrandLoader } from "@/brand/BrandLoader";
import { ThreadView } from "@/chat/ThreadView";
import { ThreadRegistryProvider } from "@/chat/thread/ThreadContext";
import type { PageConfig } from "@/config";
import { SessionProvider, UserProvider, useSession, useSessionState } from "@/session/SessionContext";
import type { Session } from "@/session/session";
import { useConversationRoute } from "@/shell/routes";
import { LoadingScreen } from "@/shell/StatusScreens";
import { Announcer } from "@/ui/Announcer";
import { Button } from "@/ui/Controls";
import { Toasts } from "@/ui/Toasts";
import { type Mode, type Peer, postToPeer, readHostMessage } from "../protocol";
import { EmbedHeader } from "./EmbedHeader";
import styles from "./embed.module.css";

interface FrameProps {
  store: Storage;
  host: Peer;
  mode: Mode;
}

interface EmbeddedAppProps extends FrameProps {
  config: PageConfig;
  session: Session;
}

export function EmbeddedApp({ config, session, store, host, mode }: EmbeddedAppProps) {
  useHostEvents(host, mode);
  return (
    <SessionProvider config={config} session={session}>
      <Frame {...{ store, host, mode }} />
      <Announcer />
    </SessionProvider>
  );
}

function Frame({ store, host, mode }: FrameProps) {
  const state = useSessionState();
  if (state.status === "starting") return <LoadingScreen />;
  if (state.status === "signed_out") return <SignedOut {...{ host, mode }} />;
  return (
    <UserProvider key={state.identity.userKey} identity={state.identity} store={store}>
      <BrandLoader />
      <ThreadRegistryProvider>
        <FrameRouter>
          <Conversation {...{ host, mode }} expired={state.expired} />
        </FrameRouter>
      </ThreadRegistryProvider>
      <Toasts />
    </UserProvider>
  );
}

/** Keeps the chat's routes in memory, apart from the address of the site. */
function FrameRouter({ children }: { children: ReactNode }) {
  const [location] = useState(() => memoryLocation({ path: "/" }));
  return (
    <Router hook={location.hook} searchHook={location.searchHook}>
      {children}
    </Router>
  );
}

function Conversation({ host, mode, expired }: Omit<FrameProps, "store"> & { expired: boolean }) {
  const conversationId = useConversationRoute();
  const session = useSession();
  return (
    <div className={styles.app}>
      <EmbedHeader conversationId={conversationId} host={host} mode={mode} />
      {expired && (
        <div className={styles.banner} role="alert" data-testid="embed-expired">
          <span>Your sign-in on this site has ended. What you wrote waits here.</span>
          <Button small onClick={() => void session.signIn()}>
            Try again
          </Button>
        </div>
      )}
      <main className={styles.main}>
        <ThreadView conversationId={conversationId} />
      </main>
    </div>
  );
}

function SignedOut({ host, mode }: Omit<FrameProps, "store">) {
  const session = useSession();
  const [isPending, setPending] = useState(false);
  return (
    <div className={styles.app}>
      <EmbedHeader conversationId={null} host={host} mode={mode} />
      <main className={styles.message} data-testid="embed-signed-out">
        <h2>Sign in to chat</h2>
        <p>Sign in on {new URL(host.origin).host}, then come back here.</p>
        <Button
          variant="primary"
          disabled={isPending}
          onClick={() => {
            setPending(true);
            void session.signIn().finally(() => setPending(false));
          }}
        >
          Try again
        </Button>
      </main>
    </div>
  );
}

/** Closes a floating chat on Escape, unless a dialog is open. Focuses the composer when the site shows the chat. */
function useHostEvents(host: Peer, mode: Mode): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented || mode !== "floating") return;
      if (!document.querySelector("dialog[open]")) postToPeer(host, { type: "close" });
    };
    const onMessage = (event: MessageEvent) => {
      if (readHostMessage(event, host)?.type === "shown") document.querySelector("textarea")?.focus();
    };
    window.addEventListener("keydown", onKey);
    window.addEventListener("message", onMessage);
    return () => {
      window.removeEventListener("keydown", onKey);
      window.removeEventListener("message", onMessage);
    };
  }, [host, mode]);
}
