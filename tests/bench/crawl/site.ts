import { startOutsideServer } from '../../support/outsideServer'
import { words } from '../../support/siteServer'

/** Menus as shops have them, the same on each page. */
const menu = (name: string, count: number) =>
  `<ul>${Array.from({ length: count }, (_, n) => `<li class="menu-item level-1"><a class="menu-link" href="/guides/${n + 1}">${name} ${n + 1}</a></li>`).join('')}</ul>`

/** A site of so many pages of some 20 KB, each linked from the one before its tenth part: what a crawler meets most. */
export function startGuides(pages: number) {
  const header = `<header><div class="logo">Harbour Lamps</div><nav>${menu('Department', 60)}</nav></header>`
  const beside = `<aside class="sidebar"><h2>Popular guides</h2>${menu('Guide', 40)}</aside>`
  const footer = `<footer><p>Harbour Lamps, 4 Quay Street. All rights reserved.</p>${menu('Service', 30)}</footer>`
  return startOutsideServer(({ path }, response) => {
    const n = path === '/' ? 1 : Number(/^\/guides\/(\d+)$/.exec(path)?.[1] ?? 0)
    if (n < 1 || n > pages) return response.writeHead(404).end('gone')
    const links = Array.from({ length: 10 }, (_, at) => (n - 1) * 10 + at + 2).filter((to) => to <= pages)
    const parts = [0, 1, 2].map((part) => `<h2>Part ${part + 1} of guide ${n}</h2>${words(n * 3 + part)}`).join('')
    const more = links.map((to) => `<li><a href="/guides/${to}">Guide ${to}</a></li>`).join('')
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Guide ${n} | Harbour Lamps</title></head>
      <body>${header}<main><article><h1>Guide ${n}</h1>${parts}<ul>${more}</ul></article></main>${beside}${footer}</body></html>`)
  })
}
