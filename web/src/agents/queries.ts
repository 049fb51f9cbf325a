/** Agents and their runs as the panel reads and changes them. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { ApiError } from "@/api/apiError";
import { type Schemas, unwrap } from "@/api/client";
import { queryKeys } from "@/api/queryKeys";
import {
  partialBody,
  prependItem,
  removeItem,
  replaceItem,
  updateItems,
  useOptimisticMutation,
  usePagedQuery,
} from "@/lists/pagedQuery";
import { useApi } from "@/session/SessionContext";
import { announce } from "@/ui/Announcer";
import { showToast } from "@/ui/Toasts";
import { isRunOver, runStatus } from "./labels";

export type AgentCard = Schemas["AgentCard"];
export type Agent = Schemas["AgentView"];
export type Run = Schemas["RunView"];
type AgentUpdate = Pick<Partial<Schemas["AgentChange"]>, "status" | "shared" | "schedule">;

const LOOK_AGAIN_MS = 30_000;
const SOON_MS = 1_000;
const LATER_MS = 4_000;
/** A run that takes longer than this is asked after less often. */
const QUICK_FOR_MS = 20_000;

const withId = (id: string) => ({ params: { path: { agent_id: id } } });

/** The agents the user may see: their own, then those others share. */
export function useAgents() {
  const api = useApi();
  return usePagedQuery<AgentCard>(queryKeys.agentList, (cursor) =>
    unwrap(api.GET("/v1/agents", { params: { query: cursor ? { cursor } : {} } })),
  );
}

/** An agent in full; the list leaves out when it works and where its results go. */
export function useAgent(id: string, enabled: boolean) {
  const api = useApi();
  return useQuery({
    queryKey: queryKeys.agent(id),
    queryFn: () => unwrap(api.GET("/v1/agents/{agent_id}", withId(id))),
    enabled,
  });
}

/** The user's runs of all agents, newest first. Those of schedules appear by themselves. */
export function useRuns() {
  const api = useApi();
  return usePagedQuery<Run>(
    queryKeys.runList,
    (cursor) => unwrap(api.GET("/v1/runs", { params: { query: cursor ? { cursor } : {} } })),
    { refetchEveryMs: LOOK_AGAIN_MS },
  );
}

/** Has an agent work now. The key makes sure that a repeated click, or a repeated request, is one run. */
export function useStartRun(card: AgentCard) {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (key: string) =>
      unwrap(
        api.POST("/v1/agents/{agent_id}/runs", {
          params: { path: { agent_id: card.id }, header: { "idempotency-key": key } },
          body: {},
        }),
      ),
    onSuccess: (run) => {
      updateItems<Run>(queries, queryKeys.runList, removeItem(run.id));
      prependItem(queries, queryKeys.runList, run);
      announce(`${card.name} has started.`);
    },
    onError: (error) =>
      showToast({ text: `${card.name} could not be started: ${ApiError.from(error).message}` }),
  });
}

/** Follows a run that is not over, and puts what is heard into the list. */
export function usePolledRun(listed: Run): Run {
  const api = useApi();
  const queries = useQueryClient();
  const { id } = listed;
  const { data: heard } = useQuery({
    queryKey: queryKeys.run(id),
    queryFn: () => unwrap(api.GET("/v1/runs/{run_id}", { params: { path: { run_id: id } } })),
    enabled: !isRunOver(listed),
    refetchInterval: ({ state }) => (state.data && isRunOver(state.data) ? false : pollInterval(listed)),
    staleTime: 0,
  });
  const run = heard && !isRunOver(listed) ? heard : listed;
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
  return Date.now() - Date.parse(run.created_at) < QUICK_FOR_MS ? SOON_MS : LATER_MS;
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

/** Pauses, resumes or shares an agent; seen at once. */
export function useUpdateAgent(card: AgentCard) {
  const api = useApi();
  const queries = useQueryClient();
  return useOptimisticMutation({
    queryKey: queryKeys.agents,
    show: (change: AgentUpdate) => {
      const { schedule: _, ...inList } = change;
      updateItems<AgentCard>(
        queries,
        queryKeys.agentList,
        replaceItem(card.id, (item) => ({ ...item, ...inList })),
      );
      queries.setQueryData<Agent>(queryKeys.agent(card.id), (agent) => agent && { ...agent, ...change });
    },
    send: (change) =>
      unwrap(
        api.PATCH("/v1/agents/{agent_id}", {
          ...withId(card.id),
          body: partialBody<Schemas["AgentChange"]>(change),
        }),
      ),
    failed: `${card.name} could not be changed`,
  });
}

/** Stores a schedule, or none. A refusal is the form's to show. */
export function useSaveSchedule(card: AgentCard) {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (schedule: Schemas["Schedule"] | null) =>
      unwrap(
        api.PATCH("/v1/agents/{agent_id}", {
          ...withId(card.id),
          body: partialBody<Schemas["AgentChange"]>({ schedule }),
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
    show: () => updateItems<AgentCard>(queries, queryKeys.agentList, removeItem(card.id)),
    send: (_: null) => unwrap(api.DELETE("/v1/agents/{agent_id}", withId(card.id))),
    failed: `${card.name} could not be deleted`,
    onDone: () => announce(`${card.name} is deleted.`),
  });
}
