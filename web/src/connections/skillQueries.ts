/** Queries and mutations for skills: MCP servers and webhooks that agents and the assistant may call. */

import { useQuery } from "@tanstack/react-query";
import { partialBody, type Schemas, unwrap } from "@/api/client";
import { queryKeys } from "@/api/queryKeys";
import { usePagedQuery } from "@/lists/pagedQuery";
import { useRequest } from "@/lists/useRequest";
import { useApi } from "@/session/SessionContext";
import { announce } from "@/ui/Announcer";

export type SkillCard = Schemas["SkillCard"];
export type Skill = Schemas["SkillView"];

const LOOK_EVERY_MS = 2_000;
/** How long after a change its check is waited for, which the service makes by itself. */
const CHECKED_WITHIN_MS = 60_000;
const withId = (id: string) => ({ params: { path: { skill_id: id } } });

export function useSkills() {
  const api = useApi();
  return usePagedQuery<SkillCard>(queryKeys.skillList, (cursor) =>
    unwrap(api.GET("/v1/skills", { params: { query: cursor ? { cursor } : {} } })),
  );
}

/** One skill and how its last check went; `isChecked`: a check is under way. */
export function useSkill(id: string, isChecked: boolean) {
  const api = useApi();
  return useQuery({
    queryKey: queryKeys.skill(id),
    queryFn: () => unwrap(api.GET("/v1/skills/{skill_id}", withId(id))),
    refetchInterval: ({ state: { data } }) =>
      isChecked || (data !== undefined && isAwaitingCheck(data)) ? LOOK_EVERY_MS : false,
  });
}

const isAwaitingCheck = ({ health, updated_at }: Skill): boolean =>
  (health?.status ?? "unknown") === "unknown" && Date.now() - Date.parse(updated_at) < CHECKED_WITHIN_MS;

const keys = [queryKeys.skills, queryKeys.connections, queryKeys.agents];

export function useCheckSkill(id: string) {
  const api = useApi();
  return useRequest({
    send: (_: null) => unwrap(api.POST("/v1/skills/{skill_id}/check", withId(id))),
    queryKeys: keys,
    errorText: "The check could not begin",
  });
}

export function useAcceptTools(id: string) {
  const api = useApi();
  return useRequest({
    send: (tools: Schemas["AcceptedTool"][]) =>
      unwrap(api.POST("/v1/skills/{skill_id}/accept", { ...withId(id), body: { tools } })),
    queryKeys: keys,
    errorText: "The tools could not be accepted",
    onSuccess: () => announce("The tools are accepted."),
  });
}

export function useChangeSkill(id: string) {
  const api = useApi();
  return useRequest({
    send: (change: Partial<Schemas["SkillChange"]>) =>
      unwrap(
        api.PATCH("/v1/skills/{skill_id}", {
          ...withId(id),
          body: partialBody<Schemas["SkillChange"]>(change),
        }),
      ),
    queryKeys: keys,
    errorText: "The connection could not be changed",
  });
}

export function useRemoveSkill(id: string, onRemoved: () => void) {
  const api = useApi();
  return useRequest({
    send: (_: null) => unwrap(api.DELETE("/v1/skills/{skill_id}", withId(id))),
    queryKeys: [queryKeys.skillList, queryKeys.secrets, queryKeys.connections, queryKeys.agents],
    errorText: "It could not be removed",
    onSuccess: onRemoved,
  });
}
