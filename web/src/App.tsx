/** Puts the parts of the page together: who is signed in, what is kept, and what is shown where. */

import { QueryClientProvider } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useState } from "react";
import { createQueryClient } from "@/api/queryClient";
import { ThreadView } from "@/chat/ThreadView";
import { ThreadRegistryProvider } from "@/chat/thread/ThreadContext";
import { ConversationSidebar } from "@/conversations/ConversationSidebar";
import { ConversationTitle } from "@/conversations/ConversationTitle";
import { SessionProvider, UserProvider, useSessionState } from "@/session/SessionContext";
import type { Session } from "@/session/session";
import { Layout } from "@/shell/Layout";
import { useConversationRoute } from "@/shell/routes";
import { LoadingScreen, SignInAgainDialog, SignInScreen } from "@/shell/SignInScreen";
import { useAnnouncement } from "@/ui/announcer";
import { Skeleton } from "@/ui/Controls";
import { clearToasts, Toasts } from "@/ui/Toasts";
import type { PageConfig } from "./config";

const AgentsPanel = lazy(() => import("@/agents/AgentsPanel").then((it) => ({ default: it.AgentsPanel })));
const TasksPanel = lazy(() => import("@/tasks/TasksPanel").then((it) => ({ default: it.TasksPanel })));

export function App({ config, session }: { config: PageConfig; session: Session }) {
  const [queries] = useState(createQueryClient);
  useEffect(
    () =>
      session.onSignOut(() => {
        queries.clear();
        clearToasts();
      }),
    [session, queries],
  );
  return (
    <SessionProvider config={config} session={session}>
      <QueryClientProvider client={queries}>
        <Page />
        <Announcements />
      </QueryClientProvider>
    </SessionProvider>
  );
}

function Page() {
  const state = useSessionState();
  if (state.status === "starting") return <LoadingScreen />;
  if (state.status === "signed_out") return <SignInScreen problem={state.problem} />;
  return (
    <UserProvider key={state.identity.userKey} identity={state.identity}>
      <ThreadRegistryProvider>
        <Workplace />
      </ThreadRegistryProvider>
      {state.expired && <SignInAgainDialog />}
      <Toasts />
    </UserProvider>
  );
}

function Workplace() {
  const open = useConversationRoute();
  return (
    <Layout
      sidebar={<ConversationSidebar />}
      title={<ConversationTitle conversationId={open} />}
      panels={{
        agents: (
          <Suspense fallback={<Skeleton height={80} />}>
            <AgentsPanel />
          </Suspense>
        ),
        tasks: (
          <Suspense fallback={<Skeleton height={80} />}>
            <TasksPanel />
          </Suspense>
        ),
      }}
    >
      <ThreadView conversationId={open} />
    </Layout>
  );
}

/** The page's one live region for what is not shown as text. */
function Announcements() {
  const said = useAnnouncement();
  return (
    <div className="visually-hidden" role="status" aria-live="polite" data-testid="announcer">
      {said}
    </div>
  );
}
