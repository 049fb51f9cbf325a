/** Account settings: time zone, language, notifications and the sign-in of this browser. */

import { useState } from "react";
import { formatDateTime } from "@/agents/labels";
import { timeZones } from "@/agents/scheduleForm";
import { browserTimeZone, chooseTimeZone, localTimeZone, TIME_ZONE_KEY } from "@/dates";
import { useIdentity, useSession, useUserStorage } from "@/session/SessionContext";
import { Button, Field } from "@/ui/Controls";
import uiStyles from "@/ui/ui.module.css";
import { NotificationSetting } from "./NotificationSetting";
import { usePolicy } from "./queries";
import styles from "./settings.module.css";

export function AccountSection() {
  return (
    <>
      <TimeZoneSetting />
      <Language />
      <NotificationSetting />
      <SignedIn />
    </>
  );
}

function TimeZoneSetting() {
  const storage = useUserStorage();
  const [zone, setZone] = useState(localTimeZone);
  const choose = (chosen: string) => {
    const isBrowsers = chosen === browserTimeZone();
    if (isBrowsers) storage.remove(TIME_ZONE_KEY);
    else storage.set(TIME_ZONE_KEY, chosen);
    chooseTimeZone(isBrowsers ? null : chosen);
    setZone(chosen);
  };
  return (
    <div className={styles.block}>
      <Field label="Time zone">
        <select
          className={uiStyles.input}
          value={zone}
          onChange={(event) => choose(event.target.value)}
          data-testid="time-zone"
        >
          {timeZones(browserTimeZone(), zone).map((each) => (
            <option key={each} value={each}>
              {each.replaceAll("_", " ")}
            </option>
          ))}
        </select>
      </Field>
      <p className={styles.hint}>
        What “at 9” means in your messages, and the zone of new schedules and reminders. This browser is in{" "}
        {browserTimeZone().replaceAll("_", " ")}.
      </p>
    </div>
  );
}

function Language() {
  const { data: policy } = usePolicy();
  const name = policy?.language && new Intl.DisplayNames("en", { type: "language" }).of(policy.language);
  return (
    <p className={styles.hint}>
      The page is in English. {name && `Your workspace's language is ${name}; administrators change it.`}
    </p>
  );
}

function SignedIn() {
  const identity = useIdentity();
  const session = useSession();
  return (
    <div className={styles.block}>
      <h4>Signed in</h4>
      <dl className={styles.facts}>
        <dt>User</dt>
        <dd>{identity.user}</dd>
        <dt>Workspace</dt>
        <dd>{identity.tenant}</dd>
        <dt>Roles</dt>
        <dd>{identity.roles.join(", ") || "none"}</dd>
        {identity.expiresAt !== null && (
          <>
            <dt>This sign-in lasts until</dt>
            <dd>{formatDateTime(new Date(identity.expiresAt * 1000).toISOString())}</dd>
          </>
        )}
      </dl>
      <p className={styles.hint}>
        Signing out ends the session in all tabs of this browser and removes what is kept here. Sessions of
        other browsers end at your sign-in provider, or when they expire.
      </p>
      <div className={styles.actions}>
        <Button onClick={() => void session.signOut()} data-testid="settings-sign-out">
          Sign out everywhere in this browser
        </Button>
      </div>
    </div>
  );
}
