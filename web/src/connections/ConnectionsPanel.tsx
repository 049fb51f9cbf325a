/** Connections panel: services that agents can use after a sign-in, and where the user is signed in. */

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useSearchParams } from "wouter";
import { queryKeys } from "@/api/queryKeys";
import { ListError, ListLoading } from "@/lists/ListPlaceholders";
import { useIdentity } from "@/session/SessionContext";
import { usePanelPlace } from "@/shell/routes";
import { Badge, Button, classNames } from "@/ui/Controls";
import { showToast } from "@/ui/Toasts";
import { ClientForm, type ClientNeeds } from "./ClientForm";
import styles from "./connections.module.css";
import { type Connection, type Scope, useConnections, useDisconnect, useSignIn } from "./queries";
import { NewSkillForm } from "./SkillForm";
import { SkillList } from "./SkillList";
import { SkillPage } from "./SkillPage";

export function ConnectionsPanel() {
  const [place, go] = usePanelPlace();
  const wanted = useSearchParams()[0].get("connect") ?? "";
  if (place === "new")
    return (
      <div className={styles.panel}>
        <h3>Connect an MCP server or a webhook</h3>
        <NewSkillForm serves={wanted.toLowerCase()} onDone={({ id }) => go(id)} onCancel={() => go(null)} />
      </div>
    );
  const [id, part] = place?.split("/") ?? [];
  if (id) return <SkillPage key={id} id={id} isEditing={part === "edit"} />;
  return (
    <div className={styles.panel}>
      <Services />
      <SkillList />
      <p className={styles.hint}>
        Results go to mail, Slack and other places by the address that an agent has: open the agent and edit
        it.
      </p>
    </div>
  );
}

function Services() {
  const [awaited, setAwaited] = useState<string | null>(null);
  const [scope, setScope] = useState<Scope>("user");
  const wanted = useSearchParams()[0].get("connect");
  const connections = useConnections(awaited !== null);
  const queries = useQueryClient();
  const arrived = connections.data?.items.some(
    (each) => isSame(each, awaited) && each.status === "connected",
  );
  useEffect(() => {
    if (!arrived) return;
    setAwaited(null);
    void queries.invalidateQueries({ queryKey: queryKeys.agents });
  }, [arrived, queries]);
  if (connections.isPending) return <ListLoading what="connections" height={52} />;
  if (!connections.data)
    return (
      <ListError what="connections" error={connections.error} onRetry={() => void connections.refetch()} />
    );
  return (
    <div className={styles.panel}>
      <p className={styles.hint}>
        Sign in to a service, and your agents can use it. Your password stays with the service.
      </p>
      {connections.data.items.some((each) => each.scopes.includes("workspace")) && (
        <label className={styles.scope}>
          <input
            type="checkbox"
            checked={scope === "workspace"}
            onChange={(event) => setScope(event.target.checked ? "workspace" : "user")}
            data-testid="connect-for-all"
          />
          New services: one sign-in for the whole workspace
        </label>
      )}
      <ul className={styles.list} aria-label="Services">
        {wantedFirst(connections.data.items, wanted).map((connection) => (
          <ConnectionItem
            key={connection.skill_id ?? connection.service}
            connection={connection}
            isWanted={names(connection, wanted)}
            isAwaited={isSame(connection, awaited)}
            scope={scope}
            onBegun={() => setAwaited(connection.service)}
          />
        ))}
      </ul>
    </div>
  );
}

interface ConnectionItemProps {
  connection: Connection;
  isWanted: boolean;
  isAwaited: boolean;
  scope: Scope;
  onBegun: () => void;
}

function ConnectionItem({ connection, isWanted, isAwaited, scope, onBegun }: ConnectionItemProps) {
  const { roles } = useIdentity();
  const [needs, setNeeds] = useState<ClientNeeds | null>(null);
  const signIn = useSignIn(onBegun, roles.includes("admin") ? setNeeds : null);
  const disconnect = useDisconnect();
  const isConnected = connection.status === "connected";
  const begin = () => {
    const tab = window.open("", "_blank");
    if (tab) tab.opener = null;
    signIn.mutate({ connection, scope, tab });
  };
  return (
    <li
      className={classNames(styles.item, isWanted && styles.wanted)}
      data-testid={`connection-${connection.service}`}
    >
      <div className={styles.name}>
        <b>{connection.title}</b>
        <StatusBadge connection={connection} />
        {isAwaited && <span role="status">Finish in the other window…</span>}
      </div>
      {isConnected ? (
        <Button small disabled={disconnect.isPending} onClick={() => disconnect.mutate(connection)}>
          Disconnect<span className="visually-hidden"> {connection.title}</span>
        </Button>
      ) : (
        <Button
          small
          variant={connection.client_needed ? "plain" : "primary"}
          disabled={signIn.isPending}
          onClick={begin}
        >
          {connection.status === "expired" ? "Sign in again" : "Connect"}
          <span className="visually-hidden"> {connection.title}</span>
        </Button>
      )}
      {needs && (
        <ClientForm
          title={connection.title}
          needs={needs}
          onDone={() => {
            setNeeds(null);
            showToast({ text: `Saved. ${connection.title} can be connected now.` });
          }}
          onCancel={() => setNeeds(null)}
        />
      )}
    </li>
  );
}

function StatusBadge({ connection }: { connection: Connection }) {
  if (connection.status === "expired") return <Badge tone="warn">Sign-in expired</Badge>;
  if (connection.status === "connected")
    return (
      <Badge tone="good">{connection.scope === "workspace" ? "Connected for everybody" : "Connected"}</Badge>
    );
  return connection.client_needed ? <Badge>Needs an administrator first</Badge> : null;
}

const isSame = (connection: Connection, service: string | null): boolean =>
  service !== null && (connection.service === service || connection.serves.includes(service));

const names = (connection: Connection, wanted: string | null): boolean =>
  isSame(connection, wanted?.toLowerCase() ?? null);

/** The connections, with the one that a link asks for first. */
function wantedFirst(connections: readonly Connection[], wanted: string | null): Connection[] {
  return [...connections].sort((a, b) => Number(names(b, wanted)) - Number(names(a, wanted)));
}
