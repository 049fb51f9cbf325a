/** Queries and mutations for agents and their runs. */

import { useMutation, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { ApiError } from "@/api/apiError";
import { partialBody, type Schemas, unwrap } from "@/api/client";
import { queryKeys } from "@/api/queryKeys";
import { prependItem, removeItem, replaceItem, updateItems, usePagedQuery } from "@/lists/pagedQuery";
import { useOptimisticMutation } from "@/lists/useOptimisticMutation";
import { useRequest } from "@/lists/useRequest";
import { useApi } from "@/session/SessionContext";
import { announce } from "@/ui/Announcer";
import { showToast } from "@/ui/Toasts";
import { isRunOver, runStatus } from "./labels";
import type { Schedule } from "./scheduleForm";

export type AgentCard = Schemas["AgentCard"];
export type Agent = Schemas["AgentView"];
export type Run = Schemas["RunView"];
type AgentUpdate = Pick<Partial<Schemas["AgentChange"]>, "status" | "shared" | "schedule" | "brief">;

const LIST_POLL_MS = 30_000;
const RUN_POLL_MS = 1_000;
const LONG_RUN_POLL_MS = 4_000;
/** Runs that take longer than this are polled less often. */
const LONG_RUN_AFTER_MS = 20_000;

const withId = (id: string) => ({ params: { path: { agent_id: id } } });

/** The user's own agents, then those that others share. */
export function useAgents() {
  const api = useApi();
  return usePagedQuery<AgentCard>(queryKeys.agentList, (cursor) =>
    unwrap(api.GET("/v1/agents", { params: { query: cursor ? { cursor } : {} } })),
  );
}

/** The agents that the user deleted and can restore, the last deleted first. */
export function useDeletedAgents(enabled: boolean) {
  const api = useApi();
  return usePagedQuery<AgentCard>(
    queryKeys.deletedAgents,
    (cursor) =>
      unwrap(api.GET("/v1/agents", { params: { query: { deleted: true, ...(cursor ? { cursor } : {}) } } })),
    { enabled },
  );
}

/** One agent with its schedule and delivery, which the list leaves out. */
export function useAgent(id: string, enabled: boolean) {
  const api = useApi();
  return useQuery({
    queryKey: queryKeys.agent(id),
    queryFn: () => unwrap(api.GET("/v1/agents/{agent_id}", withId(id))),
    enabled,
  });
}

/** The first of the user's agents in full, as far as they are loaded. */
export function useAllAgents(atMost: number): Agent[] {
  const api = useApi();
  const cards = useAgents().items ?? [];
  const loaded = useQueries({
    queries: cards.slice(0, atMost).map(({ id }) => ({
      queryKey: queryKeys.agent(id),
      queryFn: () => unwrap(api.GET("/v1/agents/{agent_id}", withId(id))),
    })),
  });
  return loaded.flatMap(({ data }) => data ?? []);
}

/** The user's runs of all agents, newest first. The list polls, because schedules start runs as well. */
export function useRuns() {
  const api = useApi();
  return usePagedQuery<Run>(
    queryKeys.runList,
    (cursor) => unwrap(api.GET("/v1/runs", { params: { query: cursor ? { cursor } : {} } })),
    { refetchEveryMs: LIST_POLL_MS },
  );
}

/** The user's runs of one agent, newest first, as the service has them. */
export function useRunsOf(agentId: string) {
  const api = useApi();
  return usePagedQuery<Run>(
    queryKeys.agentRuns(agentId),
    (cursor) =>
      unwrap(
        api.GET("/v1/runs", { params: { query: { agent_id: agentId, ...(cursor ? { cursor } : {}) } } }),
      ),
    { refetchEveryMs: LIST_POLL_MS },
  );
}

/** Approves a call that a run was held at: it is made once, exactly as it is. */
export function useApproveCall(run: Run) {
  const api = useApi();
  return useRequest({
    send: (call: string) =>
      unwrap(
        api.POST("/v1/runs/{run_id}/approvals", {
          params: { path: { run_id: run.id } },
          body: { call },
        }),
      ),
    queryKeys: [queryKeys.runs],
    errorText: "The call could not be approved",
    onSuccess: () => announce("Approved. A new run makes the call."),
  });
}

/** Starts a run. The idempotency key makes sure that a repeated request starts only one. */
export function useStartRun(card: AgentCard) {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ key, version }: StartedRun) =>
      unwrap(
        api.POST("/v1/agents/{agent_id}/runs", {
          params: { path: { agent_id: card.id }, header: { "idempotency-key": key } },
          body: version === null ? {} : { version },
        }),
      ),
    onSuccess: (run) => {
      void queries.invalidateQueries({ queryKey: queryKeys.agentRuns(card.id) });
      updateItems<Run>(queries, queryKeys.runList, removeItem(run.id));
      prependItem(queries, queryKeys.runList, run);
      announce(`${card.name} has started.`);
    },
    onError: (error) => {
      if (changeOf(error)) return;
      showToast({ text: `${card.name} could not be started: ${ApiError.from(error).message}` });
    },
  });
}

interface StartedRun {
  /** The Idempotency-Key. */
  key: string;
  /** The version of a colleague's agent that the user has agreed to; null: the one they used before. */
  version: number | null;
}

/** What a colleague has changed about an agent since the user last ran it. */
export interface AgentChangeNotice {
  version: number;
  changed: readonly string[];
}

/** The change because of which a run was refused; null for any other error. */
export function changeOf(error: unknown): AgentChangeNotice | null {
  const { code, members } = ApiError.from(error);
  const { version, changed } = members;
  if (code !== "agent_changed" || typeof version !== "number" || !Array.isArray(changed)) return null;
  return { version, changed: changed.map(String) };
}

/** Polls a run until it is over, then updates it in the list. */
export function usePolledRun(listed: Run): Run {
  const api = useApi();
  const queries = useQueryClient();
  const { id } = listed;
  const { data: polled } = useQuery({
    queryKey: queryKeys.run(id),
    queryFn: () => unwrap(api.GET("/v1/runs/{run_id}", { params: { path: { run_id: id } } })),
    enabled: !isRunOver(listed),
    refetchInterval: ({ state }) => (state.data && isRunOver(state.data) ? false : pollInterval(listed)),
    staleTime: 0,
  });
  const run = polled && !isRunOver(listed) ? polled : listed;
  const hasEnded = isRunOver(run) && !isRunOver(listed);
  useEffect(() => {
    if (!hasEnded) return;
    updateItems<Run>(
      queries,
      queryKeys.runList,
      replaceItem(run.id, () => run),
    );
    announce(`${run.agent_name}: ${runStatus(run).label}.`);
    // The result may have been posted into a conversation.
    void queries.invalidateQueries({ queryKey: queryKeys.conversations });
  }, [hasEnded, run, queries]);
  return run;
}

function pollInterval(run: Run): number {
  return Date.now() - Date.parse(run.created_at) < LONG_RUN_AFTER_MS ? RUN_POLL_MS : LONG_RUN_POLL_MS;
}

export function useCancelRun(run: Run) {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => unwrap(api.POST("/v1/runs/{run_id}/cancel", { params: { path: { run_id: run.id } } })),
    onSuccess: (after) => {
      queries.setQueryData(queryKeys.run(run.id), after);
      announce(`${run.agent_name} stops.`);
    },
    onError: (error) =>
      showToast({ text: `The run could not be cancelled: ${ApiError.from(error).message}` }),
  });
}

/** Pauses, resumes or shares an agent. */
export function useUpdateAgent(card: AgentCard) {
  const api = useApi();
  const queries = useQueryClient();
  return useOptimisticMutation({
    queryKey: queryKeys.agents,
    apply: (update: AgentUpdate) => {
      const { schedule: _, brief: __, ...listed } = update;
      updateItems<AgentCard>(
        queries,
        queryKeys.agentList,
        replaceItem(card.id, (item) => ({ ...item, ...listed })),
      );
      queries.setQueryData<Agent>(queryKeys.agent(card.id), (agent) => agent && { ...agent, ...update });
    },
    send: (update) =>
      unwrap(
        api.PATCH("/v1/agents/{agent_id}", {
          ...withId(card.id),
          body: partialBody<Schemas["AgentChange"]>(update),
        }),
      ),
    errorText: `${card.name} could not be changed`,
  });
}

/** Saves the schedule, or removes it (null). The form shows errors itself. */
export function useSaveSchedule(card: AgentCard) {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (schedule: Schedule | null) =>
      unwrap(
        api.PATCH("/v1/agents/{agent_id}", {
          ...withId(card.id),
          body: partialBody<Schemas["AgentChange"]>({
            schedule: schedule && partialBody<Schemas["Schedule"]>(schedule),
          }),
        }),
      ),
    onSuccess: (agent) => {
      queries.setQueryData(queryKeys.agent(card.id), agent);
      void queries.invalidateQueries({ queryKey: queryKeys.agents });
    },
  });
}

export function useDeleteAgent(card: AgentCard) {
  const api = useApi();
  const queries = useQueryClient();
  return useOptimisticMutation({
    queryKey: queryKeys.agents,
    apply: () => updateItems<AgentCard>(queries, queryKeys.agentList, removeItem(card.id)),
    send: (_: null) => unwrap(api.DELETE("/v1/agents/{agent_id}", withId(card.id))),
    errorText: `${card.name} could not be deleted`,
    onSuccess: () => announce(`${card.name} is deleted.`),
  });
}

export function useRestoreAgent() {
  const api = useApi();
  const queries = useQueryClient();
  return useOptimisticMutation({
    queryKey: queryKeys.agents,
    apply: ({ id }: AgentCard) => updateItems<AgentCard>(queries, queryKeys.deletedAgents, removeItem(id)),
    send: ({ id }) => unwrap(api.POST("/v1/agents/{agent_id}/restore", withId(id))),
    errorText: "The agent could not be restored",
    onSuccess: ({ name }) => announce(`${name} is restored.`),
  });
}
