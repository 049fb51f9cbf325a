/** The chat alone: one conversation at a time, and the site's own user. */

import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { Router } from "wouter";
import { memoryLocation } from "wouter/memory-location";
import { createQueryClient } from "@/api/queryClient";
import { ThreadView } from "@/chat/ThreadView";
import { ThreadRegistryProvider } from "@/chat/thread/ThreadContext";
import type { PageConfig } from "@/config";
import { SessionProvider, UserProvider, useSession, useSessionState } from "@/session/SessionContext";
import type { Session } from "@/session/session";
import { useConversationRoute } from "@/shell/routes";
import { LoadingScreen } from "@/shell/SignInScreen";
import { useAnnouncement } from "@/ui/announcer";
import { Button } from "@/ui/Controls";
import { clearToasts, Toasts } from "@/ui/Toasts";
import { type Mode, type Peer, postToPeer, readHostMessage } from "../protocol";
import { EmbedHeader } from "./EmbedHeader";
import styles from "./embed.module.css";

interface EmbeddedProps {
  config: PageConfig;
  session: Session;
  store: Storage;
  host: Peer;
  mode: Mode;
}

export function EmbeddedApp({ config, session, store, host, mode }: EmbeddedProps) {
  const [queries] = useState(createQueryClient);
  useEffect(
    () =>
      session.onSignOut(() => {
        queries.clear();
        clearToasts();
      }),
    [session, queries],
  );
  useHostEvents(host, mode);
  return (
    <SessionProvider config={config} session={session}>
      <QueryClientProvider client={queries}>
        <SignedInOrOut {...{ store, host, mode }} />
        <Announcements />
      </QueryClientProvider>
    </SessionProvider>
  );
}

interface FrameProps {
  store: Storage;
  host: Peer;
  mode: Mode;
}

function SignedInOrOut({ store, host, mode }: FrameProps) {
  const state = useSessionState();
  if (state.status === "starting") return <LoadingScreen />;
  if (state.status === "signed_out") return <SignedOut {...{ host, mode }} />;
  return (
    <UserProvider key={state.identity.userKey} identity={state.identity} store={store}>
      <ThreadRegistryProvider>
        <FrameRouter>
          <Conversation {...{ host, mode }} expired={state.expired} />
        </FrameRouter>
      </ThreadRegistryProvider>
      <Toasts />
    </UserProvider>
  );
}

/** Addresses of the frame's own: those of the site are none of the chat's business. */
function FrameRouter({ children }: { children: ReactNode }) {
  const [location] = useState(() => memoryLocation({ path: "/" }));
  return (
    <Router hook={location.hook} searchHook={location.searchHook}>
      {children}
    </Router>
  );
}

function Conversation({ host, mode, expired }: Omit<FrameProps, "store"> & { expired: boolean }) {
  const open = useConversationRoute();
  const session = useSession();
  return (
    <div className={styles.app}>
      <EmbedHeader conversationId={open} host={host} mode={mode} />
      {expired && (
        <div className={styles.banner} role="alert" data-testid="embed-expired">
          <span>Your sign-in on this site has ended. What you wrote waits here.</span>
          <Button small onClick={() => void session.signIn()}>
            Try again
          </Button>
        </div>
      )}
      <main className={styles.main}>
        <ThreadView conversationId={open} />
      </main>
    </div>
  );
}

function SignedOut({ host, mode }: Omit<FrameProps, "store">) {
  const session = useSession();
  const [asking, setAsking] = useState(false);
  return (
    <div className={styles.app}>
      <EmbedHeader conversationId={null} host={host} mode={mode} />
      <main className={styles.told} data-testid="embed-signed-out">
        <h2>Sign in to chat</h2>
        <p>Sign in on {new URL(host.origin).host}, then come back here.</p>
        <Button
          variant="primary"
          disabled={asking}
          onClick={() => {
            setAsking(true);
            void session.signIn().finally(() => setAsking(false));
          }}
        >
          Try again
        </Button>
      </main>
    </div>
  );
}

function Announcements() {
  const said = useAnnouncement();
  return (
    <div className="visually-hidden" role="status" aria-live="polite" data-testid="announcer">
      {said}
    </div>
  );
}

/** Escape puts a floating chat away, unless it closes something within it. The site's `shown` brings the cursor. */
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
