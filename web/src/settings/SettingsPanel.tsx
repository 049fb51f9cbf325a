/** Settings panel: sections for everybody, for administrators and for operators. */

import type { ComponentType } from "react";
import { useIdentity } from "@/session/SessionContext";
import { usePanelPlace } from "@/shell/routes";
import { AccountSection } from "./AccountSection";
import { AnswersSection } from "./AnswersSection";
import { AuditSection } from "./AuditSection";
import { CorrectionsSection } from "./CorrectionsSection";
import { DataSection } from "./DataSection";
import { FilesSection } from "./FilesSection";
import { ModelsSection } from "./ModelsSection";
import { OversightSection } from "./OversightSection";
import { PolicySection } from "./PolicySection";
import { SecretsSection } from "./SecretsSection";
import styles from "./settings.module.css";
import { TenantsSection } from "./TenantsSection";
import { UsageSection } from "./UsageSection";
import { UserErasureSection } from "./UserErasureSection";

interface Section {
  id: string;
  label: string;
  /** The role that it is for; everybody without one. */
  role?: "admin" | "operator";
  content: ComponentType;
}

const SECTIONS: readonly Section[] = [
  { id: "account", label: "Account", content: AccountSection },
  { id: "usage", label: "Usage and cost", content: UsageSection },
  { id: "models", label: "Models", content: ModelsSection },
  { id: "data", label: "Your data", content: DataSection },
  { id: "files", label: "Files", content: FilesSection },
  { id: "policy", label: "Workspace", role: "admin", content: PolicySection },
  { id: "answers", label: "Own answers", role: "admin", content: AnswersSection },
  { id: "secrets", label: "Secrets", role: "admin", content: SecretsSection },
  { id: "corrections", label: "Corrections", role: "admin", content: CorrectionsSection },
  { id: "conversations", label: "All conversations", role: "admin", content: OversightSection },
  { id: "erasures", label: "Erase a user", role: "admin", content: UserErasureSection },
  { id: "audit", label: "Audit log", role: "admin", content: AuditSection },
  { id: "tenants", label: "Tenants", role: "operator", content: TenantsSection },
];

const HEADINGS = { admin: "Administration", operator: "Operation" } as const;

export function SettingsPanel() {
  const { roles } = useIdentity();
  const [place] = usePanelPlace();
  const offered = SECTIONS.filter(({ role }) => !role || roles.includes(role));
  const [id = ""] = place?.split("/") ?? [];
  const shown = offered.find((each) => each.id === id) ?? offered[0];
  if (!shown) return null;
  const Content = shown.content;
  return (
    <div className={styles.panel}>
      <nav className={styles.sections} aria-label="Settings">
        {([undefined, "admin", "operator"] as const).map((role) => (
          <SectionLinks
            key={role ?? "all"}
            heading={role ? HEADINGS[role] : "You"}
            sections={offered.filter((each) => each.role === role)}
            shown={shown.id}
          />
        ))}
      </nav>
      <section aria-labelledby="settings-heading" className={styles.section} key={shown.id}>
        <h3 id="settings-heading">{shown.label}</h3>
        <Content />
      </section>
    </div>
  );
}

function SectionLinks(props: { heading: string; sections: readonly Section[]; shown: string }) {
  const [, go] = usePanelPlace();
  if (props.sections.length === 0) return null;
  return (
    <div className={styles.links}>
      <span className={styles.heading}>{props.heading}</span>
      {props.sections.map(({ id, label }) => (
        <button
          key={id}
          type="button"
          aria-current={id === props.shown ? "page" : undefined}
          onClick={() => go(id)}
          data-testid={`settings-${id}`}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
