/** Tenants, for operators: look one up, register, rename, limit, suspend or erase it. */

import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { ApiError } from "@/api/apiError";
import { type Schemas, unwrap } from "@/api/client";
import { queryKeys } from "@/api/queryKeys";
import { SchemaForm } from "@/forms/SchemaForm";
import { PagedList } from "@/lists/PagedList";
import { useApi } from "@/session/SessionContext";
import { usePanelPlace } from "@/shell/routes";
import { Badge, Button, Field, Input } from "@/ui/Controls";
import { EraseDialog } from "./EraseDialog";
import { Receipt } from "./ErasureReceipt";
import { capFields } from "./limitFields";
import { useSuspend, useTenant, useTenantErasures } from "./queries";
import styles from "./settings.module.css";

const GROUPS = [
  { title: "Tenant", fields: [{ name: "name", label: "Name" }] },
  {
    title: "What it may have",
    isFolded: true,
    fields: [
      {
        name: "limits.usd_per_day",
        label: "Cost of models in a day, in dollars",
        options: { "": "as deployed" },
      },
      {
        name: "limits.usd_per_month",
        label: "Cost of models in a month, in dollars",
        options: { "": "no cap" },
      },
      ...capFields("NewTenant"),
    ],
  },
];

export function TenantsSection() {
  const [place, go] = usePanelPlace();
  const id = place?.split("/")[1] ?? null;
  const [typed, setTyped] = useState(id ?? "");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    go(`tenants/${typed.trim()}`);
  };
  return (
    <>
      <form className={styles.controls} onSubmit={submit}>
        <Field label="Tenant id">
          <Input
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            required
            pattern="[A-Za-z0-9][A-Za-z0-9_.\-]*"
            title="Letters, digits, dots, hyphens and underscores"
            autoComplete="off"
            data-testid="tenant-id"
          />
        </Field>
        <Button type="submit" data-testid="tenant-open">
          Look up
        </Button>
      </form>
      {id && <Tenant key={id} id={id} />}
    </>
  );
}

function Tenant({ id }: { id: string }) {
  const tenant = useTenant(id);
  if (tenant.isPending) return null;
  const isUnknown = tenant.error instanceof ApiError && tenant.error.status === 404;
  if (!tenant.data && !isUnknown) return <p role="alert">{ApiError.from(tenant.error).message}</p>;
  return (
    <>
      {tenant.data ? (
        <TenantState tenant={tenant.data} />
      ) : (
        <p className={styles.hint}>There is no tenant {id} yet. Save its name to register it.</p>
      )}
      <TenantForm id={id} tenant={tenant.data ?? null} />
      {tenant.data && <TenantErasures id={id} />}
    </>
  );
}

function TenantState({ tenant }: { tenant: Schemas["TenantView"] }) {
  const suspend = useSuspend(tenant.tenant);
  const isSuspended = tenant.status === "suspended";
  return (
    <div className={styles.row}>
      <div>
        <b dir="auto">{tenant.name}</b>{" "}
        <Badge tone={tenant.status === "active" ? "good" : "warn"} data-testid="tenant-status">
          {tenant.status}
        </Badge>
      </div>
      {(isSuspended || tenant.status === "active") && (
        <Button
          disabled={suspend.isPending}
          onClick={() => suspend.mutate(!isSuspended)}
          data-testid="tenant-suspend"
        >
          {isSuspended ? "Let its users in again" : "Shut its users out"}
        </Button>
      )}
    </div>
  );
}

function TenantForm({ id, tenant }: { id: string; tenant: Schemas["TenantView"] | null }) {
  const api = useApi();
  const queries = useQueryClient();
  return (
    <SchemaForm
      id={`tenant-${id}`}
      schema="NewTenant"
      groups={GROUPS}
      initial={tenant ?? {}}
      submitLabel={tenant ? "Save" : "Register"}
      submit={({ all, changed }) => {
        const params = { path: { tenant_id: id } };
        // What another operator changed meanwhile stays.
        return tenant
          ? unwrap(api.PATCH("/v1/tenants/{tenant_id}", { params, body: changed as Schemas["TenantChange"] }))
          : unwrap(
              api.PUT("/v1/tenants/{tenant_id}", { params, body: all as unknown as Schemas["NewTenant"] }),
            );
      }}
      onDone={() => void queries.invalidateQueries({ queryKey: queryKeys.setting("tenant", id) })}
    />
  );
}

function TenantErasures({ id }: { id: string }) {
  const [isAsking, setAsking] = useState(false);
  const erasures = useTenantErasures(id);
  return (
    <div className={styles.block}>
      <h4>Erasures</h4>
      <div className={styles.actions}>
        <Button variant="danger" onClick={() => setAsking(true)} data-testid="tenant-erase">
          Erase the tenant…
        </Button>
      </div>
      {isAsking && (
        <EraseDialog
          erased={{ scope: "tenant", id }}
          name={id}
          text="All there is of this tenant is erased for good: users, conversations, agents and settings."
          onBegun={() => void erasures.refetch()}
          onClose={() => setAsking(false)}
        />
      )}
      <PagedList list={erasures} what="erasures" empty="Nothing was erased.">
        {(erasure) => <Receipt erasure={erasure} />}
      </PagedList>
    </div>
  );
}
