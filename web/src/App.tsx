/** The page: sign-in, layout, chat, sidebar and panels put together. */

import { lazy, Suspense } from "react";
import { Router } from "wouter";
import { BrandLoader } from "@/brand/BrandLoader";
import { LoadingMessages } from "@/chat/LoadingMessages";
import { ThreadRegistryProvider } from "@/chat/thread/ThreadContext";
import type { PageConfig } from "@/config";
import { ConversationSidebar } from "@/conversations/ConversationSidebar";
import { ConversationTitle } from "@/conversations/ConversationTitle";
import { NewsProvider } from "@/news/useNews";
import { SessionProvider, UserProvider, useSessionState } from "@/session/SessionContext";
import type { Session } from "@/session/session";
import { Layout } from "@/shell/Layout";
import { navigateWithHistory } from "@/shell/navigation";
import { useConversationRoute } from "@/shell/routes";
import { SignInAgainDialog, SignInScreen } from "@/shell/SignIn";
import { LoadingScreen } from "@/shell/StatusScreens";
import { Announcer } from "@/ui/Announcer";
import { Skeleton } from "@/ui/Controls";
import { Toasts } from "@/ui/Toasts";

// Nobody needs the chat before they are signed in.
const ThreadView = lazy(() => import("@/chat/ThreadView").then((it) => ({ default: it.ThreadView })));
const AgentsPanel = lazy(() => import("@/agents/AgentsPanel").then((it) => ({ default: it.AgentsPanel })));
const ConnectionsPanel = lazy(() =>
  import("@/connections/ConnectionsPanel").then((it) => ({ default: it.ConnectionsPanel })),
);
const HelpPanel = lazy(() => import("@/help/HelpPanel").then((it) => ({ default: it.HelpPanel })));
const SettingsPanel = lazy(() =>
  import("@/settings/SettingsPanel").then((it) => ({ default: it.SettingsPanel })),
);
const TasksPanel = lazy(() => import("@/tasks/TasksPanel").then((it) => ({ default: it.TasksPanel })));

export function App({ config, session }: { config: PageConfig; session: Session }) {
  return (
    <SessionProvider config={config} session={session}>
      <Router aroundNav={navigateWithHistory}>
        <Page />
        <Announcer />
      </Router>
    </SessionProvider>
  );
}

function Page() {
  const state = useSessionState();
  if (state.status === "starting") return <LoadingScreen />;
  if (state.status === "signed_out") return <SignInScreen problem={state.problem} />;
  return (
    <UserProvider key={state.identity.userKey} identity={state.identity}>
      <BrandLoader />
      <ThreadRegistryProvider>
        <NewsProvider>
          <SignedInPage />
        </NewsProvider>
      </ThreadRegistryProvider>
      {state.expired && <SignInAgainDialog />}
      <Toasts />
    </UserProvider>
  );
}

function SignedInPage() {
  const conversationId = useConversationRoute();
  return (
    <Layout
      sidebar={<ConversationSidebar />}
      title={<ConversationTitle conversationId={conversationId} />}
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
        connections: (
          <Suspense fallback={<Skeleton height={80} />}>
            <ConnectionsPanel />
          </Suspense>
        ),
        settings: (
          <Suspense fallback={<Skeleton height={80} />}>
            <SettingsPanel />
          </Suspense>
        ),
        help: (
          <Suspense fallback={<Skeleton height={80} />}>
            <HelpPanel />
          </Suspense>
        ),
      }}
    >
      <Suspense fallback={<LoadingMessages />}>
        <ThreadView conversationId={conversationId} />
      </Suspense>
    </Layout>
  );
}
