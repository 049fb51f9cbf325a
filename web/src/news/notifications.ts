/** Notifications of the browser, for users who asked for them. */

import { assistantName } from "@/brand/brand";
import type { UserStorage } from "@/cache/userStorage";

/** Where is stored whether the user wants them. */
export const NOTIFY_KEY = "notify";

/** Notifies of news in a conversation while nobody looks at the page. Its text stays in the page. */
export function notify(storage: UserStorage, title: string, tag: string, onOpen: () => void): void {
  const isWanted = storage.get(NOTIFY_KEY) === true && document.hidden;
  if (!isWanted || !("Notification" in window) || Notification.permission !== "granted") return;
  const notification = new Notification(assistantName(), { body: `News in ${title}`, tag });
  notification.onclick = () => {
    window.focus();
    onOpen();
    notification.close();
  };
}
