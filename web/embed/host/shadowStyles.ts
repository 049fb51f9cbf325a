/** Styles of the launcher and the chat's box. They are a constructed sheet in a shadow root, which no CSP forbids. */

const CSS = `
:host { all: initial; }
:host([hidden]) { display: none; }
* { box-sizing: border-box; }
iframe { display: block; width: 100%; height: 100%; border: 0; color-scheme: normal; }
iframe:not(.ready) { visibility: hidden; }
.place { position: relative; overflow: hidden; background: #fff; color: #1b1b24; }
.inline { width: 100%; height: 100%; min-height: 22rem; }
.note {
  position: absolute; inset: 0; display: grid; place-content: center; justify-items: center; gap: 12px;
  padding: 24px; text-align: center; font: 15px/1.5 system-ui, sans-serif;
}
.note[hidden] { display: none; }
.floating {
  position: fixed; z-index: 2147483000; right: 20px; bottom: 92px; width: min(400px, 100vw - 40px);
  height: min(660px, 100dvh - 112px); border-radius: 18px; border: 1px solid rgb(128 128 150 / 35%);
  box-shadow: 0 2px 6px rgb(20 20 40 / 12%), 0 18px 50px rgb(20 20 40 / 24%);
}
.floating.large { width: min(820px, 100vw - 40px); height: calc(100dvh - 112px); }
.floating[hidden] { display: none; }
button {
  all: unset; box-sizing: border-box; cursor: pointer; display: grid; place-items: center;
  font: 600 15px/1.3 system-ui, sans-serif;
}
button[hidden] { display: none; }
.launcher {
  position: fixed; z-index: 2147483000; right: 20px; bottom: 20px; width: 56px; height: 56px; border-radius: 50%;
  background: #4f46e5; color: #fff; box-shadow: 0 2px 6px rgb(20 20 40 / 20%), 0 8px 24px rgb(20 20 40 / 25%);
}
.launcher:hover { background: #4338ca; }
.launcher svg { width: 26px; height: 26px; fill: none; stroke: currentColor; stroke-width: 2;
  stroke-linecap: round; stroke-linejoin: round; }
.plain { padding: 8px 16px; border: 1px solid #8b8b9a; border-radius: 10px; }
button:focus-visible { outline: 3px solid #4f46e5; outline-offset: 3px; }
.dark { background: #16161c; color: #ececf2; }
@media (prefers-color-scheme: dark) { .system { background: #16161c; color: #ececf2; } }
@media (max-width: 520px) {
  .floating, .floating.large {
    inset: 0; width: 100%; height: 100dvh; border: 0; border-radius: 0; padding-bottom: env(safe-area-inset-bottom);
  }
  .launcher[aria-expanded="true"] { display: none; }
}
@media print { .floating, .launcher { display: none; } }
`;

export function applyStyles(root: ShadowRoot): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(CSS);
  root.adoptedStyleSheets = [sheet];
}
