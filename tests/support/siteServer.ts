import { gzipSync } from 'node:zlib'
import { startOutsideServer } from './outsideServer'

/** A page of a made-up shop: its own text with the site's navigation and the like around it. */
export const pageHtml = (
  title: string,
  body: string,
  { head = '', lang = 'en' }: { head?: string; lang?: string } = {},
): string => `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>${title} | Harbour Lamps</title>${head}</head>
<body><header><a href="/">Harbour Lamps</a></header><nav><a href="/">Home</a> <a href="/guides/1">Guides</a></nav>
<main><article><h1>${title}</h1>${body}</article></main>
<footer>Harbour Lamps, 4 Quay Street. All rights reserved. <a href="/imprint">Imprint</a></footer></body></html>`

/** Sentences unique to a page, the same for the same number. */
export const words = (seed: number): string => {
  const things = ['lamp', 'wick', 'harbour', 'lens', 'keeper', 'tower', 'signal', 'mirror', 'storm', 'ladder', 'bell']
  const does = ['turns', 'guards', 'warms', 'follows', 'answers', 'carries', 'keeps', 'measures', 'finds', 'lifts']
  let state = seed * 7_919 + 17
  const next = (from: string[]) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return from[Math.floor((state / 2_147_483_648) * from.length)]
  }
  const sentence = (n: number) =>
    `Part ${seed}.${n}: the ${next(things)}, which the ${next(things)} ${next(does)}, ${next(does)} the ${next(things)} near the ${next(things)}.`
  return `<p>${[1, 2, 3, 4].map(sentence).join(' ')}</p><p>${[5, 6, 7, 8].map(sentence).join(' ')}</p>`
}

/**
 * A site with guides, each linked from ten others, and traps for crawlers: an endless calendar, redirect loops, pages
 * that are missing, too large, too slow, in old charsets, behind logins, or available at many addresses.
 */
export async function startSite({ guides = 480 }: { guides?: number } = {}) {
  const visits = new Map<string, number>()
  const held: (() => void)[] = []
  const site = await startOutsideServer(({ path, headers }, response) => {
    visits.set(path, (visits.get(path) ?? 0) + 1)
    const url = new URL(path, 'http://site')
    const html = (body: string | Buffer, type = 'text/html; charset=utf-8', more: Record<string, string> = {}) =>
      response.writeHead(200, { 'content-type': type, ...more }).end(body)
    const to = (location: string, status = 302) => response.writeHead(status, { location }).end()
    const here = `http://${headers.host}`
    const { pathname } = url
    const guide = /^\/guides\/(\d+)$/.exec(pathname)
    if (guide) {
      const n = Number(guide[1])
      if (n < 1 || n > guides) return response.writeHead(404).end('gone')
      const links = Array.from({ length: 10 }, (_, at) => (n - 1) * 10 + at + 2).filter((to) => to <= guides)
      const list = links.map((to) => `<li><a href="/guides/${to}?utm_source=list#top">Guide ${to}</a></li>`).join('')
      return html(pageHtml(`Guide ${n}`, `${words(n)}<ul>${list}</ul>`))
    }
    const day = /^\/calendar\/(\d+)\/(\d+)$/.exec(pathname)
    if (day) {
      const next = `/calendar/${Number(day[1]) + Math.floor(Number(day[2]) / 12)}/${String((Number(day[2]) % 12) + 1).padStart(2, '0')}`
      return html(
        pageHtml(
          `Events in ${day[2]} ${day[1]}`,
          `<p>Nothing happens in month ${day[2]} of the year ${day[1]}, nor was anything planned at all.</p><a href="${next}">Next</a>`,
        ),
      )
    }
    if (pathname === '/') {
      const traps = [
        '/calendar/2026/01',
        '/circle/a',
        '/gone',
        '/large',
        '/busy',
        '/latin',
        '/private',
        '/old-name',
        '/copy',
        '/canonical?sort=price',
        '/account',
        '/secret/plan',
        '/empty',
        '/app',
        '/film.mp4',
        '/shop;jsessionid=ABC?PHPSESSID=1',
        '/deep/deep/deep/deep',
        '/noindex',
        '/list.pdf',
        '/imprint?a=1&b=2',
        '/imprint?b=2&a=1',
      ]
      return html(
        pageHtml(
          'Harbour Lamps',
          `${words(0)}<p><a href="/guides/1">Start</a> <a href="http://other.example/">Elsewhere</a></p>${traps.map((trap) => `<a href="${trap}">${trap}</a> `).join('')}`,
        ),
      )
    }
    switch (pathname) {
      case '/robots.txt':
        return html(`User-agent: *\nDisallow: /secret/\nSitemap: ${here}/maps/index.xml\n`, 'text/plain')
      case '/maps/index.xml':
        return html(
          `<?xml version="1.0"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>${here}/maps/guides.xml.gz</loc></sitemap><sitemap><loc>${here}/maps/more.xml</loc></sitemap><sitemap><loc>${here}/maps/index.xml</loc></sitemap></sitemapindex>`,
          'application/xml',
        )
      case '/maps/guides.xml.gz': {
        const locations = Array.from(
          { length: guides },
          (_, at) => `<url><loc>${here}/guides/${at + 1}</loc><lastmod>2026-01-01</lastmod></url>`,
        )
        return html(gzipSync(`<?xml version="1.0"?><urlset>${locations.join('')}</urlset>`), 'application/gzip')
      }
      case '/maps/more.xml':
        return html(
          `<urlset><url><loc>${here}/imprint?a=1&amp;b=2</loc></url><url><loc>http://other.example/x</loc></url><url><loc>${here}/guides/1</loc></url><url><loc>${here}/gone</loc></url></urlset>`,
          'text/xml',
        )
      case '/circle/a':
        return to('/circle/b')
      case '/circle/b':
        return to('/circle/a')
      case '/large':
        return html(pageHtml('Large', words(9_001) + '<p>More and more of the same.</p>'.repeat(4_000)))
      case '/busy':
        return response.writeHead(503, { 'retry-after': '0' }).end('busy')
      case '/to-slow':
        return html(pageHtml('Slow', `${words(9_011)}<a href="/slow">here</a>`))
      case '/to-busy': {
        const links = Array.from({ length: 40 }, (_, n) => `<a href="/busy?n=${n}">${n}</a>`)
        return html(pageHtml('Busy', `${words(9_013)}${links.join(' ')}`))
      }
      case '/slow':
        // answers only when the client has left, or the test releases it
        held.push(() => html(pageHtml('Slow after all', words(9_012))))
        return
      case '/latin':
        return html(
          Buffer.from(
            pageHtml(
              'Öffnungszeiten',
              `<p>Täglich geöffnet, außer an Feiertagen: früh um acht öffnen wir die Tür.</p>${words(9_002)}`,
            ),
            'latin1',
          ),
        )
      case '/private':
        return response.writeHead(401, { 'www-authenticate': 'Basic' }).end('no')
      case '/old-name':
        return to('/new-name', 301)
      case '/new-name':
        return html(pageHtml('New name', words(9_003)))
      case '/copy':
        return html(
          pageHtml(
            'Guide 1',
            `${words(1)}<ul>${Array.from({ length: 10 }, (_, at) => `<li><a href="/guides/${at + 2}?utm_source=list#top">Guide ${at + 2}</a></li>`).join('')}</ul>`,
          ),
        )
      case '/canonical':
        return html(
          pageHtml('Canonical', words(9_004) + (url.search === '' ? '' : '<p>In another order.</p>'), {
            head: '<link rel="canonical" href="/canonical">',
          }),
        )
      case '/account':
        return to('/login?next=/account')
      case '/login':
        return html(pageHtml('Log in', '<form><input name="user"><input type="password"><button>Go</button></form>'))
      case '/empty':
        return html('<!doctype html><title>Empty</title><body></body>')
      case '/app':
        return html(
          '<!doctype html><title>App</title><body><div id="root"></div><noscript>You need to enable JavaScript to run this app.</noscript><script src="/app.js"></script></body>',
        )
      case '/shop':
        return html(pageHtml('Shop', words(9_005)))
      case '/deep/deep/deep/deep':
        return html(pageHtml('Deep', `${words(9_006)}<a href="${pathname}/deep">deeper</a>`))
      case '/noindex':
        return html(pageHtml('Not for indexes', words(9_007), { head: '<meta name="robots" content="noindex">' }))
      case '/list.pdf':
        return html('%PDF-1.4 a list', 'application/pdf')
      case '/imprint':
        return html(pageHtml('Imprint', words(url.search === '' ? 9_008 : 9_009)))
      case '/secret/plan':
        return html(pageHtml('Secret', words(9_010)))
      default:
        return response.writeHead(404).end('gone')
    }
  })
  return {
    ...site,
    /** number of requests by path */
    visits,
    /** answers waiting requests of the slow page */
    release: () => {
      for (const answer of held.splice(0)) answer()
    },
  }
}
