/** The page of one connected server: its check, who may use it, what uses it, tools to accept, and removal. */

import { ArrowLeft } from "lucide-react";
import { useEffect, useState } from "react";
import { formatDateTime } from "@/agents/labels";
import { useAllAgents } from "@/agents/queries";
import { ListError, ListLoading } from "@/lists/ListPlaceholders";
import { useIdentity } from "@/session/SessionContext";
import { useGoToPanel, usePanelPlace } from "@/shell/routes";
import { Badge, Button } from "@/ui/Controls";
import { ConfirmDialog } from "@/ui/Dialog";
import styles from "./connections.module.css";
import { checkReasonLabel } from "./labels";
import { SecretEntry, SecretField } from "./SecretField";
import { EditSkillForm } from "./SkillForm";
import { ownSecretName } from "./secretQueries";
import {
  type Skill,
  useAcceptTools,
  useChangeSkill,
  useCheckSkill,
  useRemoveSkill,
  useSkill,
} from "./skillQueries";

export function SkillPage({ id, isEditing }: { id: string; isEditing: boolean }) {
  const [, go] = usePanelPlace();
  const [checkedSince, setCheckedSince] = useState<string | null | undefined>(undefined);
  const isChecked = checkedSince !== undefined;
  const skill = useSkill(id, isChecked);
  const checkedAt = skill.data?.health?.checked_at ?? null;
  useEffect(() => {
    if (isChecked && checkedAt !== checkedSince) setCheckedSince(undefined);
  }, [isChecked, checkedAt, checkedSince]);
  return (
    <div className={styles.panel} data-testid="skill-page">
      <div>
        <Button small variant="quiet" onClick={() => go(null)}>
          <ArrowLeft size={15} aria-hidden /> All connections
        </Button>
      </div>
      {skill.isPending && <ListLoading what="connection" height={80} />}
      {skill.error && !skill.data && (
        <ListError what="connection" error={skill.error} onRetry={() => void skill.refetch()} />
      )}
      {skill.data && isEditing && (
        <EditSkillForm skill={skill.data} onDone={() => go(id)} onCancel={() => go(id)} />
      )}
      {skill.data && !isEditing && (
        <SkillDetails skill={skill.data} isChecked={isChecked} onCheck={() => setCheckedSince(checkedAt)} />
      )}
    </div>
  );
}

const TONES = { ok: "good", failing: "bad", unknown: undefined } as const;
const HEALTH = { ok: "Works", failing: "Does not work", unknown: "Not checked yet" } as const;

function SkillDetails(props: { skill: Skill; isChecked: boolean; onCheck: () => void }) {
  const { skill, isChecked, onCheck } = props;
  const [, go] = usePanelPlace();
  const { user } = useIdentity();
  const check = useCheckSkill(skill.id);
  const remove = useRemoveSkill(skill.id, () => go(null));
  const [isAsking, setAsking] = useState(false);
  const isOwn = skill.owner === user;
  const recheck = () => check.mutate(null, { onSuccess: onCheck });
  const status = skill.health?.status ?? "unknown";
  const tone = TONES[status];
  return (
    <>
      <div className={styles.name}>
        <h3>
          <bdi>{skill.name}</bdi>
        </h3>
        <Badge {...(tone ? { tone } : {})} data-testid="skill-health">
          {HEALTH[status]}
        </Badge>
        {skill.status === "disabled" && <Badge tone="warn">Switched off</Badge>}
      </div>
      {skill.health?.reason && <p className={styles.hint}>{checkReasonLabel(skill.health.reason)}</p>}
      <dl className={styles.facts}>
        <dt>Kind</dt>
        <dd>{skill.kind === "webhook" ? "Webhook" : "MCP server"}</dd>
        <dt>Address</dt>
        <dd>{skill.url}</dd>
        <dt>For</dt>
        <dd dir="auto">{skill.description || "–"}</dd>
        <dt>Services</dt>
        <dd>{skill.serves?.join(", ") || "–"}</dd>
        <dt>Who may use it</dt>
        <dd>{skill.shared ? "Everybody in the workspace" : isOwn ? "You" : skill.owner}</dd>
        <dt>Used by</dt>
        <dd>
          <UsingAgents skill={skill} />
        </dd>
        <dt>Key</dt>
        <dd>
          <SkillKey skill={skill} onChange={recheck} />
        </dd>
        {skill.health?.checked_at && (
          <>
            <dt>Checked</dt>
            <dd>{formatDateTime(skill.health.checked_at)}</dd>
          </>
        )}
        <dt>Tools</dt>
        <dd>{skill.health?.tools?.join(", ") || "–"}</dd>
      </dl>
      {isOwn && <WaitingTools skill={skill} />}
      <div className={styles.actions}>
        <Button disabled={check.isPending || isChecked} onClick={recheck} data-testid="skill-check">
          {isChecked ? "Checking…" : "Check it now"}
        </Button>
        {isOwn && (
          <>
            <Button onClick={() => go(`${skill.id}/edit`)} data-testid="skill-edit">
              Edit
            </Button>
            <Button variant="danger" onClick={() => setAsking(true)} data-testid="skill-remove">
              Remove
            </Button>
          </>
        )}
      </div>
      {isAsking && (
        <ConfirmDialog
          title={`Remove ${skill.name}?`}
          text="Agents that use it can't reach it any more."
          action="Remove"
          onConfirm={() => remove.mutate(null)}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

/** The key it is called with: administrators enter, replace and remove it here. */
function SkillKey({ skill, onChange }: { skill: Skill; onChange: () => void }) {
  const { roles } = useIdentity();
  const change = useChangeSkill(skill.id);
  const [isEntering, setEntering] = useState(false);
  if (skill.sign_in) return "none: it is called with a sign-in";
  const isAdmin = roles.includes("admin");
  if (skill.secret && isAdmin)
    return <SecretField name={skill.secret} label={`key of ${skill.name}`} onChange={onChange} />;
  if (skill.secret) return "an administrator's";
  if (!isAdmin) return "none";
  const own = ownSecretName(skill.name);
  if (isEntering)
    return (
      <SecretEntry
        name={own}
        label={`key of ${skill.name}`}
        onDone={() => change.mutate({ secret: own }, { onSuccess: onChange })}
        onCancel={() => setEntering(false)}
      />
    );
  return (
    <div className={styles.secret}>
      none
      <Button small onClick={() => setEntering(true)} data-testid="secret-enter">
        Enter one<span className="visually-hidden"> for {skill.name}</span>
      </Button>
    </div>
  );
}

const MOST_READ = 50;

/** The agents that name it, or a service that it reaches. */
function UsingAgents({ skill }: { skill: Skill }) {
  const goToPanel = useGoToPanel();
  const agents = useAllAgents(MOST_READ);
  const using = agents.filter(
    (agent) =>
      agent.skills?.includes(skill.name) || agent.sources?.some((source) => skill.serves?.includes(source)),
  );
  if (using.length === 0) return "none of your agents";
  return using.map((agent) => (
    <Button key={agent.id} small variant="quiet" onClick={() => goToPanel("agents", { at: agent.id })}>
      {agent.name}
    </Button>
  ));
}

function WaitingTools({ skill }: { skill: Skill }) {
  const accept = useAcceptTools(skill.id);
  const waiting = [...(skill.health?.new_tools ?? []), ...(skill.health?.changed_tools ?? [])];
  if (waiting.length === 0) return null;
  return (
    <section className={styles.waiting} aria-labelledby="waiting-tools">
      <h4 id="waiting-tools">Tools that are new or have changed</h4>
      <p className={styles.hint}>They are not used until you accept them.</p>
      <ul>
        {waiting.map((tool) => (
          <li key={tool.name}>
            <b>{tool.name}</b> {tool.description}
          </li>
        ))}
      </ul>
      <div className={styles.actions}>
        <Button
          disabled={accept.isPending}
          onClick={() => accept.mutate(waiting.map(({ name, hash }) => ({ name, hash })))}
          data-testid="skill-accept"
        >
          Accept them as they are
        </Button>
      </div>
    </section>
  );
}
