/** React context for the session, the API client, the query cache and the user's storage. */

import { QueryClientProvider } from "@tanstack/react-query";
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from "react";
import { type Api, createApi } from "@/api/client";
import { createQueryClient } from "@/api/queryClient";
import { type UserStorage, userStorage } from "@/cache/userStorage";
import type { PageConfig } from "@/config";
import { chooseTimeZone, TIME_ZONE_KEY } from "@/dates";
import { clearToasts } from "@/ui/Toasts";
import type { Identity } from "./identity";
import type { Session, SessionState } from "./session";

interface SignedInUser {
  identity: Identity;
  storage: UserStorage;
}

interface Services {
  session: Session;
  api: Api;
  config: PageConfig;
}

const ServicesContext = createContext<Services | null>(null);
const UserContext = createContext<SignedInUser | null>(null);

/** Provides the session and what belongs to it. The query cache is cleared when the user signs out. */
export function SessionProvider(props: { session: Session; config: PageConfig; children: ReactNode }) {
  const { session, config } = props;
  const [queryClient] = useState(createQueryClient);
  useEffect(
    () =>
      session.onSignOut(() => {
        queryClient.clear();
        clearToasts();
      }),
    [session, queryClient],
  );
  const services = useMemo(
    () => ({ session, config, api: createApi(config.api, session) }),
    [session, config],
  );
  return (
    <ServicesContext value={services}>
      <QueryClientProvider client={queryClient}>{props.children}</QueryClientProvider>
    </ServicesContext>
  );
}

/** Provides the signed-in user to its children. `store` is the session's. */
export function UserProvider(props: { identity: Identity; store?: Storage; children: ReactNode }) {
  const { identity, store } = props;
  const user = useMemo(() => {
    const storage = userStorage(identity.userKey, store);
    chooseTimeZone(storage.get<string>(TIME_ZONE_KEY));
    return { identity, storage };
  }, [identity, store]);
  return <UserContext value={user}>{props.children}</UserContext>;
}

function useServices(): Services {
  const services = useContext(ServicesContext);
  if (!services) throw new Error("no SessionProvider above");
  return services;
}

export const useSession = (): Session => useServices().session;
export const useApi = (): Api => useServices().api;
export const useConfig = (): PageConfig => useServices().config;

export function useSessionState(): SessionState {
  const session = useSession();
  return useSyncExternalStore(session.subscribe, session.snapshot);
}

function useSignedInUser(): SignedInUser {
  const user = useContext(UserContext);
  if (!user) throw new Error("no UserProvider above");
  return user;
}

/** The signed-in user. Only below `UserProvider`. */
export const useIdentity = (): Identity => useSignedInUser().identity;
/** The user's storage in this browser. Only below `UserProvider`. */
export const useUserStorage = (): UserStorage => useSignedInUser().storage;
