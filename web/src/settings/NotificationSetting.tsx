/** Notifications of the browser about results and reminders that arrive. They are off until the user asks for them. */

import { useState } from "react";
import { NOTIFY_KEY } from "@/news/notifications";
import { useUserStorage } from "@/session/SessionContext";
import styles from "./settings.module.css";

const canNotify = (): boolean => "Notification" in window;

export function NotificationSetting() {
  const storage = useUserStorage();
  const [isOn, setOn] = useState(
    () => canNotify() && storage.get(NOTIFY_KEY) === true && Notification.permission === "granted",
  );
  const [isRefused, setRefused] = useState(() => canNotify() && Notification.permission === "denied");
  const toggle = async (wanted: boolean) => {
    const permission = wanted ? await Notification.requestPermission() : "default";
    const isAllowed = permission === "granted";
    storage.set(NOTIFY_KEY, isAllowed);
    setOn(isAllowed);
    setRefused(permission === "denied");
  };
  return (
    <div className={styles.block}>
      <label className={styles.flag}>
        <input
          type="checkbox"
          checked={isOn}
          disabled={!canNotify()}
          onChange={(event) => void toggle(event.target.checked)}
          data-testid="notify"
        />
        Notify me in this browser about results and reminders
      </label>
      {isRefused && (
        <p className={styles.hint}>This browser has been told not to notify. Allow it in its settings.</p>
      )}
      {!canNotify() && <p className={styles.hint}>This browser can't notify.</p>}
    </div>
  );
}
