/** The page's addresses: `/` goes on where the user left, `/new` begins, `/c/ID` is a conversation. */

import { useCallback, useEffect } from "react";
import { useLocation, useSearchParams } from "wouter";
import { useUserStorage } from "@/session/SessionContext";

export type PanelName = "agents" | "tasks";

export const NEW_CHAT_PATH = "/new";
export const conversationPath = (id: string): string => `/c/${encodeURIComponent(id)}`;

const CONVERSATION = /^\/c\/([^/]+)\/?$/;

/** The conversation of a path; null: none. */
export function conversationIdFromPath(path: string): string | null {
  const found = CONVERSATION.exec(path)?.[1];
  try {
    return found ? decodeURIComponent(found) : null;
  } catch {
    return null;
  }
}

/** The conversation shown, and how to show another; null: a new chat. Opening one keeps the panel open. */
export function useOpenConversation(): [
  string | null,
  (id: string | null, how?: { replace?: boolean }) => void,
] {
  const [path, navigate] = useLocation();
  const open = (id: string | null, { replace = false } = {}) =>
    navigate((id === null ? NEW_CHAT_PATH : conversationPath(id)) + window.location.search, { replace });
  return [conversationIdFromPath(path), open];
}

/** The panel beside the chat; null: none. It is part of the address. */
export function usePanel(): [PanelName | null, (panel: PanelName | null) => void] {
  const [search, setSearch] = useSearchParams();
  const named = search.get("panel");
  const show = (panel: PanelName | null) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        if (panel) after.set("panel", panel);
        else after.delete("panel");
        return after;
      },
      { replace: true },
    );
  return [named === "agents" || named === "tasks" ? named : null, show];
}

const LAST = "last-conversation";

/**
 * The conversation to show. Somebody who opens the page itself goes on with the conversation they looked at
 * last; `/agents` and `/tasks` open their panel.
 */
export function useConversationRoute(): string | null {
  const [path, navigate] = useLocation();
  const storage = useUserStorage();
  const open = conversationIdFromPath(path);
  useEffect(() => {
    if (path === "/agents" || path === "/tasks") navigate(`/?panel=${path.slice(1)}`, { replace: true });
    else if (path === "/") {
      const last = storage.get<string>(LAST);
      navigate((last ? conversationPath(last) : NEW_CHAT_PATH) + window.location.search, { replace: true });
    } else if (open) storage.set(LAST, open);
    else storage.remove(LAST);
  }, [path, open, storage, navigate]);
  return open;
}

/** Forgets where the user was, because there is nothing any more. */
export function useForgetLastConversation(): () => void {
  const storage = useUserStorage();
  return useCallback(() => storage.remove(LAST), [storage]);
}
