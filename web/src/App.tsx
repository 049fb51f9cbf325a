/** The page: sign-in, layout, chat, sidebar and panels put together. */

import { lazy, Suspense } from "react";
import { ThreadView } from "@/chat/ThreadView";
import { ThreadRegistryProvider } from "@/chat/thread/ThreadContext";
import type { PageConfig } from "@/config";
import { ConversationSidebar } from "@/conversations/ConversationSidebar";
import { ConversationTitle } from "@/conversations/ConversationTitle";
import { SessionProvider, UserProvider, useSessionState } from "@/session/SessionContext";
import type { Session } from "@/session/session";
import { Layout } from "@/shell/Layout";
import { useConversationRoute } from "@/shell/routes";
import { SignInAgainDialog, SignInScreen } from "@/shell/SignIn";
import { LoadingScreen } from "@/shell/StatusScreens";
import { Announcer } from "@/ui/Announcer";
import { Skeleton } from "@/ui/Controls";
import { Toasts } from "@/ui/Toasts";

const AgentsPanel = lazy(() => import("@/agents/AgentsPanel").then((it) => ({ default: it.AgentsPanel })));
const ConnectionsPanel = lazy(() =>
  import("@/connections/ConnectionsPanel").then((it) => ({ default: it.ConnectionsPanel })),
);
const HelpPanel = lazy(() => import("@/help/HelpPanel").then((it) => ({ default: it.HelpPanel })));
const TasksPanel = lazy(() => import("@/tasks/TasksPanel").then((it) => ({ default: it.TasksPanel })));

export function App({ config, session }: { config: PageConfig; session: Session }) {
  return (
    <SessionProvider config={config} session={session}>
      <Page />
      <Announcer />
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
        <SignedInPage />
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
        help: (
          <Suspense fallback={<Skeleton height={80} />}>
            <HelpPanel />
          </Suspense>
        ),
      }}
    >
      <ThreadView conversationId={conversationId} />
    </Layout>
  );
}
