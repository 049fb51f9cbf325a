/** Routes of the page: `/` resumes the last conversation, `/new` is a new chat, `/c/ID` is a conversation. */

import { useCallback, useEffect } from "react";
import { useLocation, useSearchParams } from "wouter";
import { useUserStorage } from "@/session/SessionContext";
import { leavePanel } from "./navigation";

export const PANELS = ["agents", "tasks", "connections", "settings", "help"] as const;
export type PanelName = (typeof PANELS)[number];

export const NEW_CHAT_PATH = "/new";
export const conversationPath = (id: string): string => `/c/${encodeURIComponent(id)}`;

const CONVERSATION_PATH = /^\/c\/([^/]+)\/?$/;

function conversationIdFromPath(path: string): string | null {
  const id = CONVERSATION_PATH.exec(path)?.[1];
  try {
    return id ? decodeURIComponent(id) : null;
  } catch {
    return null;
  }
}

interface OpenOptions {
  replace?: boolean;
  /** By default an open panel stays open. */
  withoutPanel?: boolean;
}

/** The id of the open conversation, null for a new chat; and a function to open another. */
export function useOpenConversation(): [string | null, (id: string | null, options?: OpenOptions) => void] {
  const [path, navigate] = useLocation();
  const open = (id: string | null, { replace = false, withoutPanel = false }: OpenOptions = {}) => {
    const target = id === null ? NEW_CHAT_PATH : conversationPath(id);
    navigate(withoutPanel ? target : target + window.location.search, { replace });
  };
  return [conversationIdFromPath(path), open];
}

/**
 * The open panel beside the chat, from `?panel=`, or null; and a function to open or close one. Back closes it, and
 * closing it is a step back where the panel was opened from here.
 * `connect` is the service that the connections panel shows first.
 */
export function usePanel(): [PanelName | null, (panel: PanelName | null, connect?: string) => void] {
  const [params, setParams] = useSearchParams();
  const name = params.get("panel");
  const show = (panel: PanelName | null, connect?: string) => {
    if (panel === null && leavePanel()) return;
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        if (panel) after.set("panel", panel);
        else after.delete("panel");
        after.delete("connect");
        after.delete("at");
        if (connect) after.set("connect", connect);
        return after;
      },
      { replace: name !== null || panel === null },
    );
  };
  return [PANELS.find((each) => each === name) ?? null, show];
}

/**
 * The place within the open panel, from `?at=`, such as an agent's page, or null; and a function to go to another.
 * Back returns to the place before.
 */
export function usePanelPlace(): [string | null, (place: string | null) => void] {
  const [params, setParams] = useSearchParams();
  const go = (place: string | null) =>
    setParams((before) => {
      const after = new URLSearchParams(before);
      if (place === null) after.delete("at");
      else after.set("at", place);
      return after;
    });
  return [params.get("at"), go];
}

/** A function that opens a panel at a place; Back returns. `connect` is as for `usePanel`. */
export function useGoToPanel(): (panel: PanelName, to: { at?: string; connect?: string }) => void {
  const [, setParams] = useSearchParams();
  return (panel, { at = "", connect = "" }) =>
    setParams((before) => {
      const after = new URLSearchParams(before);
      after.set("panel", panel);
      for (const [name, value] of Object.entries({ at, connect })) {
        if (value) after.set(name, value);
        else after.delete(name);
      }
      return after;
    });
}

const LAST_CONVERSATION = "last-conversation";

/**
 * The id of the conversation to show, null for a new chat. Redirects `/` to the last conversation, and `/agents`
 * and `/tasks` to their panels.
 */
export function useConversationRoute(): string | null {
  const [path, navigate] = useLocation();
  const storage = useUserStorage();
  const id = conversationIdFromPath(path);
  useEffect(() => {
    if (path === "/agents" || path === "/tasks") navigate(`/?panel=${path.slice(1)}`, { replace: true });
    else if (path === "/") {
      const last = storage.get<string>(LAST_CONVERSATION);
      navigate((last ? conversationPath(last) : NEW_CHAT_PATH) + window.location.search, { replace: true });
    } else if (id) storage.set(LAST_CONVERSATION, id);
    else storage.remove(LAST_CONVERSATION);
  }, [path, id, storage, navigate]);
  return id;
}

/** Forgets the last conversation, because it no longer exists. */
export function useForgetLastConversation(): () => void {
  const storage = useUserStorage();
  return useCallback(() => storage.remove(LAST_CONVERSATION), [storage]);
}
