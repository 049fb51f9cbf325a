/** The session, the API and the user's storage for components. */

import { createContext, type ReactNode, useContext, useMemo, useSyncExternalStore } from "react";
import { type Api, createApi } from "@/api/client";
import { type UserStorage, userStorage } from "@/cache/userStorage";
import type { PageConfig } from "@/config";
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

/** Puts the session and its API client within reach. */
export function SessionProvider(props: { session: Session; config: PageConfig; children: ReactNode }) {
  const { session, config } = props;
  const services = useMemo(
    () => ({ session, config, api: createApi(config.api, session) }),
    [session, config],
  );
  return <ServicesContext value={services}>{props.children}</ServicesContext>;
}

/** What is below knows who is signed in. `store`: as for the session. */
export function UserProvider(props: { identity: Identity; store?: Storage; children: ReactNode }) {
  const { identity, store } = props;
  const signed = useMemo(
    () => ({ identity, storage: userStorage(identity.userKey, store) }),
    [identity, store],
  );
  return <UserContext value={signed}>{props.children}</UserContext>;
}

export function useServices(): Services {
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
  const signed = useContext(UserContext);
  if (!signed) throw new Error("nobody is signed in here");
  return signed;
}

/** Who is signed in. Only below `SignedIn`. */
export const useIdentity = (): Identity => useSignedInUser().identity;
/** What this browser keeps for the user. Only below `SignedIn`. */
export const useUserStorage = (): UserStorage => useSignedInUser().storage;
