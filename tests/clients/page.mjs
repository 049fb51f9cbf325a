// Shows the page of an example in a document and says a text there; ends well once the page shows the text and its answer.
//
//   node page.mjs EXAMPLE.jsx TEXT ANSWER
//
// TypeScript and the document come from the packages of our own page.

import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { createElement } from 'react'

const ours = new URL('../../web/node_modules/', import.meta.url)
const { Window } = await import(new URL('happy-dom/lib/index.js', ours))
const { default: typescript } = await import(new URL('typescript/lib/typescript.js', ours))

const window = new Window({ url: 'http://127.0.0.1/' })
const names = ['document', 'navigator', 'FormData', 'HTMLElement', 'HTMLFormElement', 'HTMLIFrameElement', 'Event']
for (const name of names) Object.defineProperty(globalThis, name, { value: window[name], configurable: true })
globalThis.window = window
const { createRoot } = await import('react-dom/client')

const [source, text, answer] = process.argv.slice(2)
const written = `${source}.mjs`
const options = { jsx: typescript.JsxEmit.ReactJSX, module: typescript.ModuleKind.ESNext, target: typescript.ScriptTarget.ES2022 }
writeFileSync(written, typescript.transpileModule(readFileSync(source, 'utf8'), { compilerOptions: options }).outputText)
const { Page } = await import(pathToFileURL(written))

const root = window.document.body.appendChild(window.document.createElement('div'))
createRoot(root).render(createElement(Page, { url: process.env.OMNIFORGE_URL, token: process.env.OMNIFORGE_TOKEN }))
const until = async condition => {
  while (!condition()) await new Promise(resolve => setTimeout(resolve, 20))
}

await until(() => root.querySelector('input'))
root.querySelector('input').value = text
root.querySelector('form').dispatchEvent(new window.Event('submit', { bubbles: true, cancelable: true }))
const shown = () => [...root.querySelectorAll('p')].map(each => each.textContent)
await until(() => shown().join('\n') === `${text}\n${answer}`)
process.exit(0)
