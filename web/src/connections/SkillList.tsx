/** The MCP servers and webhooks that are connected, and a button that connects another. */

import { Plus } from "lucide-react";
import { PagedList } from "@/lists/PagedList";
import { usePanelPlace } from "@/shell/routes";
import { Badge, Button } from "@/ui/Controls";
import styles from "./connections.module.css";
import { useSkills } from "./skillQueries";

export function SkillList() {
  const [, go] = usePanelPlace();
  const skills = useSkills();
  return (
    <section className={styles.panel} aria-labelledby="skills-heading">
      <div className={styles.head}>
        <h3 id="skills-heading">MCP servers and webhooks</h3>
        <Button small onClick={() => go("new")} data-testid="skill-new">
          <Plus size={15} aria-hidden /> Connect one
        </Button>
      </div>
      <PagedList list={skills} what="servers" empty="None is connected yet.">
        {(skill) => (
          <div className={styles.row}>
            <div>
              <b>
                <bdi>{skill.name}</bdi>
              </b>{" "}
              {skill.status === "disabled" && <Badge tone="warn">Switched off</Badge>}
              {skill.shared && <Badge>Shared</Badge>}
              <div className={styles.hint} dir="auto">
                {skill.description || skill.serves?.join(", ")}
              </div>
            </div>
            <Button small onClick={() => go(skill.id)} data-testid={`skill-open-${skill.name}`}>
              Open<span className="visually-hidden"> {skill.name}</span>
            </Button>
          </div>
        )}
      </PagedList>
    </section>
  );
}
