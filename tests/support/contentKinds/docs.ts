import { type ContentPage, declared, list, page, text } from './parts'

const parameters = `<table><thead><tr><th>Name</th><th>Type</th><th>What it does</th></tr></thead><tbody>${list(7, (n) => `<tr><td><code>wick_${n}</code></td><td>number</td><td>Sets the length of wick ${n} in millimetres.</td></tr>`)}</tbody></table>`
const steps = `<ol>${list(5, (n) => `<li>Step ${n}: turn screw ${n} by ${n * 15} degrees.</li>`)}</ol>`
const code = list(
  3,
  (n) => `<h2>Example ${n}</h2><pre><code class="language-sh">lamp light --wick ${n} --oil ${n * 2}</code></pre>`,
)
const questions = list(8, (n) => `<h3>May lamp ${n} hang?</h3><p>Yes, by hook ${n}, at ${n + 1} m.</p>`)
const changes = list(
  9,
  (n) => `<h2>Version 2.${n}</h2><ul><li>Lights ${n + 1} s sooner.</li><li>Needs ${n} ml less oil.</li></ul>`,
)
const aside = '<aside class="note"><p>Never fill a lamp that burns: wait twenty minutes.</p></aside>'

/** Documentation: code, tables and steps, beside its own menus. */
export const docsPages: ContentPage[] = [
  {
    kind: 'a reference with a table of parameters',
    html: page(
      `<div class="layout"><div class="docs-sidebar"><ul>${list(30, (n) => `<li><a href="/d/${n}">Noise chapter ${n}</a></li>`)}</ul></div><main><h1>Wicks</h1>${text(50)}${parameters}${aside}<div class="pagination-nav"><a href="/d/1">Previous noise</a><a href="/d/3">Next noise</a></div></main></div>`,
      { head: declared('TechArticle') },
    ),
    gold: `Wicks ${text(50)} ${parameters} ${aside}`,
  },
  {
    kind: 'a guide in steps with a note',
    html: page(
      `<main><article><h1>Set up</h1><p>It takes ten minutes.</p>${steps}${aside}<h2>After that</h2>${text(51)}</article></main>`,
    ),
    gold: `Set up It takes ten minutes. ${steps} ${aside} After that ${text(51)}`,
  },
  {
    kind: 'examples of code and hardly a text',
    html: page(`<main><h1>Examples</h1>${code}</main>`),
    gold: `Examples ${code}`,
  },
  {
    kind: 'short questions and shorter answers',
    html: page(`<div class="faq"><h1>Hanging</h1>${questions}</div>`),
    gold: `Hanging ${questions}`,
  },
  { kind: 'changes by version', html: page(`<main><h1>Changes</h1>${changes}</main>`), gold: `Changes ${changes}` },
]
