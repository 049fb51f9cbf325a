/** Entry point of `/embed.js`: defines `OmniForge.mount`, and mounts the chat if the script tag has the attributes. */

import type { Theme } from "../protocol";
import type { GetToken } from "./chatFrame";
import { type MountedChat, type MountOptions, mount } from "./mount";

const script = document.currentScript as HTMLScriptElement | null;
const origin = new URL(script?.src ?? "", window.location.href).origin;

declare global {
  interface Window {
    OmniForge?: { mount(options: MountOptions): MountedChat };
  }
}

window.OmniForge ??= { mount: (options) => mount(origin, options) };

if (script) mountFromAttributes(script.dataset);

function mountFromAttributes(data: DOMStringMap): void {
  const element = data.omniforgeElement;
  const floating = data.omniforgeFloating !== undefined;
  if (!element && !floating) return;
  const options: MountOptions = {
    floating,
    getToken: functionByPath(data.omniforgeToken ?? ""),
    ...(element ? { element } : {}),
    ...(data.omniforgeTheme ? { theme: data.omniforgeTheme as Theme } : {}),
    ...(data.omniforgeLabel ? { label: data.omniforgeLabel } : {}),
  };
  // The element must exist at this point; the token function is looked up when it is needed.
  if (document.readyState === "loading")
    document.addEventListener("DOMContentLoaded", () => mount(origin, options));
  else mount(origin, options);
}

function functionByPath(path: string): GetToken {
  return (request) => {
    const names = path.split(".");
    const name = names.pop() ?? "";
    const owner = names.reduce<unknown>((within, each) => (within as never)?.[each], window);
    const target: unknown = (owner as never)?.[name];
    if (typeof target !== "function")
      throw new TypeError(`${path || "data-omniforge-token"} is not a function of the window`);
    return (target as GetToken).call(owner, request);
  };
}
