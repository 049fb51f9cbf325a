/**
 * Looks for news while the page is open: a small poll of the newest conversations, by one tab of a browser for all. Unseen ones are marked, counted in the tab's title, and notified if the
 * user wants that.
 */

import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from "react";
import { unwrap } from "@/api/client";
import { queryKeys } from "@/api/queryKeys";
import { conversationName } from "@/conversations/conversationName";
import type { ConversationView } from "@/conversations/queries/conversationPages";
import { useApi, useIdentity, useUserStorage } from "@/session/SessionContext";
import { useOpenConversation } from "@/shell/routes";
import { announce } from "@/ui/Announcer";
import { type SeenCounts, unseen, withNewest } from "./news";
import { notify } from "./notifications";

const VISIBLE_EVERY_MS = 20_000;
const HIDDEN_EVERY_MS = 60_000;
const MAX_JITTER_MS = 2_000;
const LOOKED_AT = 10;
const SEEN_KEY = "seen";

const NewsContext = createContext<ReadonlySet<string>>(new Set());

/** The ids of the conversations with messages that were not seen in this browser. */
export const useUnseen = (): ReadonlySet<string> => useContext(NewsContext);

export function NewsProvider({ children }: { children: ReactNode }) {
  const storage = useUserStorage();
  const { userKey } = useIdentity();
  const queries = useQueryClient();
  const [openId, open] = useOpenConversation();
  const [newest, setNewest] = useState<readonly ConversationView[]>([]);
  const [seen, setSeen] = useState(() => storage.get<SeenCounts>(SEEN_KEY));
  // What was left since the last look was seen until then.
  const left = useRef(new Set<string>());
  useEffect(() => {
    const id = openId;
    return () => {
      if (id) left.current.add(id);
    };
  }, [openId]);

  const receive = useRef<(found: readonly ConversationView[]) => void>(() => undefined);
  receive.current = (found) => {
    const before = storage.get<SeenCounts>(SEEN_KEY);
    const shown = new Set(left.current);
    if (openId && document.visibilityState === "visible") shown.add(openId);
    left.current.clear();
    const after = withNewest(before, found, shown);
    storage.set(SEEN_KEY, after);
    setSeen(after);
    const isNews = found.some((each) =>
      newest.every((it) => it.id !== each.id || it.updated_at !== each.updated_at),
    );
    if (isNews && newest.length > 0) void queries.invalidateQueries({ queryKey: queryKeys.conversations });
    const known = new Map(newest.map((each) => [each.id, each.message_count]));
    for (const each of unseen(after, found)) {
      if (newest.length === 0 || known.get(each.id) === each.message_count) continue;
      announce(`News in ${conversationName(each)}.`);
      notify(storage, conversationName(each), each.id, () => open(each.id));
    }
    setNewest(found);
  };
  usePolling(userKey, (found) => receive.current(found));
  // What is looked at is seen.
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === "visible" && newest.length > 0) receive.current(newest);
    };
    if (openId !== null) look();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [openId, newest]);

  const ids = useMemo(() => new Set(unseen(seen, newest).map((each) => each.id)), [seen, newest]);
  return <NewsContext value={ids}>{children}</NewsContext>;
}

/** Polls, unless another tab did so lately, and calls back in each tab. */
function usePolling(userKey: string, onFound: (found: readonly ConversationView[]) => void): void {
  const api = useApi();
  const latest = useRef(onFound);
  latest.current = onFound;
  useEffect(() => {
    const channel = new BroadcastChannel(`omniforge-news:${userKey}`);
    const ended = new AbortController();
    // Tabs that were opened at once do not look at once.
    const jitterMs = Math.random() * MAX_JITTER_MS;
    let lookedAt = 0;
    const receive = (found: readonly ConversationView[]) => {
      lookedAt = Date.now();
      latest.current(found);
    };
    channel.onmessage = ({ data }: MessageEvent<readonly ConversationView[]>) => receive(data);
    const look = async () => {
      lookedAt = Date.now();
      const params = { query: { limit: LOOKED_AT } };
      const request = api.GET("/v1/conversations", { params, signal: ended.signal });
      const page = await unwrap(request).catch(() => null);
      if (!page || ended.signal.aborted) return;
      receive(page.items);
      channel.postMessage(page.items);
    };
    const work = async () => {
      while (!ended.signal.aborted) {
        const everyMs = document.hidden ? HIDDEN_EVERY_MS : VISIBLE_EVERY_MS;
        const restMs = lookedAt === 0 ? 0 : lookedAt + everyMs + jitterMs - Date.now();
        if (restMs > 0) await pause(restMs, ended.signal);
        else if (navigator.onLine) await look();
        else await pause(everyMs, ended.signal);
      }
    };
    void work();
    return () => {
      ended.abort();
      channel.close();
    };
  }, [api, userKey]);
}

/** Waits, or until the page is looked at again. */
function pause(ms: number, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onVisible);
      ended.removeEventListener("abort", done);
      resolve();
    };
    const onVisible = () => {
      if (!document.hidden) done();
    };
    const timer = setTimeout(done, ms);
    document.addEventListener("visibilitychange", onVisible);
    ended.addEventListener("abort", done);
  });
}
