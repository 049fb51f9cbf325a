/**
 * Shows links that whoever has them may post to (webhooks of Slack, Discord and Teams) as the service will store them.
 */

const LINK = /https?:\/\/([\w.:-]+)(\/[^\s<>"'`|]+)/gi;

/** The text with `https://…/sealed/…` in the place of each such link. For display only: what is sent does not change. */
export const hidePostingLinks = (text: string): string =>
  text.replace(LINK, (link: string, host: string, path: string) =>
    isPostingLink(host.toLowerCase(), path) ? `https://${host.toLowerCase()}/sealed/…` : link,
  );

const isPostingLink = (host: string, path: string): boolean =>
  (/\bhooks\.slack\.com$/.test(host) && /^\/(services|workflows|triggers)\//.test(path)) ||
  /\/api\/webhooks\/\d{10}/.test(path) ||
  path.includes("/webhookb2/");
