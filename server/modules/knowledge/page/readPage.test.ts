import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { type OutsideServer, type Received, startOutsideServer } from '../../../../tests/support/outsideServer'
import { pageHtml, words } from '../../../../tests/support/siteServer'
import { type Config, parseConfig } from '../../../platform/config/config'
import type { PageRead } from './pageRead'
import { createPages, type PageOptions } from './readPage'

const config = parseConfig({ OUTBOUND_ALLOW: '127.0.0.0/8' })
type Answer = (response: ServerResponse, request: Received) => unknown
let answers: Record<string, Answer>
let site: OutsideServer
let elsewhere: OutsideServer
beforeAll(async () => {
  const answer = (request: Received, response: ServerResponse) => {
    const given = answers[request.path.split('?')[0] ?? '']
    return given ? given(response, request) : response.writeHead(404).end()
  }
  site = await startOutsideServer(answer)
  elsewhere = await startOutsideServer(answer, '127.0.0.2')
})
afterAll(() => {
  site.close()
  elsewhere.close()
})
beforeEach(() => {
  answers = {}
  site.received.length = 0
})

/** Read without a project, so the database is not queried for networks. */
const contextOf = (config: Config) => ({
  config,
  get db(): never {
    throw new Error('No database is asked here.')
  },
})
/** A new reader, so that no robots.txt of another test is cached. */
const readerOf = (options: PageOptions = {}) => createPages(contextOf({ ...config }), { pause: 0, ...options })
const read = (path: string, options: PageOptions = {}): Promise<PageRead> =>
  readerOf(options).read(`${site.url}${path}`)
const html =
  (body: string | Buffer, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body)
const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(code, headers).end('<p>some words of the server</p>')
const to = (location: string, code = 302) => status(code, { location })
const article = pageHtml('Opening hours', words(1))
const reason = async (path: string, options?: PageOptions) => {
  const page = await read(path, options)
  return page.ok ? 'read' : page.reason
}

describe('a page', () => {
  it('is read with its title, language, text and links', async () => {
    answers['/hours'] = html(
      pageHtml('Opening hours', `${words(1)}<a href="/b?utm_source=x#c">b</a> <a href="/ad" rel="nofollow">ad</a>`, {
        lang: 'de-AT',
      }),
    )
    const page = await read('/hours')
    expect(page).toMatchObject({
      ok: true,
      title: 'Opening hours',
      language: 'de',
      url: `${site.url}/hours`,
      noindex: false,
      note: null,
    })
    expect(page).toMatchObject({
      links: [`${site.url}/`, `${site.url}/guides/1`, `${site.url}/b`, `${site.url}/imprint`],
    })
    expect(page).toMatchObject({ markdown: expect.stringContaining('Part 1.8') })
    expect(page).toMatchObject({ markdown: expect.not.stringContaining('Quay Street') })
  })

  it('is known by the address that it calls its own, on its own site', async () => {
    const canonical = (href: string) => html(pageHtml('A', words(1), { head: `<link rel="canonical" href="${href}">` }))
    answers['/a'] = canonical('/b')
    answers['/front'] = canonical('/')
    answers['/other'] = canonical('https://thief.example/b')
    expect(await read('/a?c=1')).toMatchObject({ url: `${site.url}/b`, address: `${site.url}/a?c=1` })
    expect(await read('/front')).toMatchObject({ url: `${site.url}/front` })
    expect(await read('/other')).toMatchObject({ url: `${site.url}/other` })
  })

  it('is read where the address leads, also by a refresh, and never in a circle', async () => {
    answers['/old'] = to('/hop', 301)
    answers['/hop'] = html('<meta http-equiv="refresh" content="0; url=/new">')
    answers['/new'] = html(article)
    expect(await read('/old')).toMatchObject({ url: `${site.url}/new` })
    answers['/a'] = to('/b')
    answers['/b'] = to('/a')
    expect(await reason('/a')).toContain('redirects in a circle')
    answers['/n'] = (response, { path }) => to(`/n?${Number(path.split('?')[1] ?? 0) + 1}`)(response, {} as Received)
    expect(await reason('/n')).toContain('redirects too many times')
  })

  it('comes as text and as Markdown, too', async () => {
    answers['/a.md'] = html('# Prices\r\n\r\nA lamp is **9**.', { 'content-type': 'text/markdown' })
    answers['/a.txt'] = html('Just words', { 'content-type': 'text/plain' })
    answers['/page'] = html(article, { 'content-type': 'text/plain' })
    expect(await read('/a.md')).toMatchObject({ title: 'Prices', markdown: '# Prices\n\nA lamp is **9**.' })
    expect(await read('/a.txt')).toMatchObject({ title: 'a.txt', markdown: 'Just words' })
    expect(await read('/page')).toMatchObject({ title: 'Opening hours' })
  })

  it('that is a PDF is handed on, whatever it is said to be', async () => {
    for (const type of ['application/pdf', 'text/html', 'application/octet-stream']) {
      answers['/a.pdf'] = html('%PDF-1.7 and so on', { 'content-type': type })
      expect(await read('/a.pdf')).toMatchObject({ ok: true, pdf: Buffer.from('%PDF-1.7 and so on') })
    }
  })

  it('is not given again when it has not changed', async () => {
    answers['/tag'] = (response, { headers }) =>
      headers['if-none-match'] === '"7"'
        ? status(304)(response, {} as Received)
        : html(article, { etag: '"7"' })(response, {} as Received)
    answers['/time'] = (response, { headers }) =>
      headers['if-modified-since']
        ? status(304)(response, {} as Received)
        : html(article, { 'last-modified': 'Sat, 03 Jan 2026 10:00:00 GMT' })(response, {} as Received)
    for (const path of ['/tag', '/time']) {
      const first = await read(path)
      const etag = 'etag' in first ? first.etag : null
      expect(etag).toContain(path === '/tag' ? '7' : 'Sat')
      expect(await readerOf().read(`${site.url}${path}`, { etag })).toEqual({ ok: true, unchanged: true })
    }
  })
})

describe('what is no page is said to be', () => {
  const login = pageHtml('Members', '<form><input type="password"></form>')
  test.each<[what: string, answer: Answer, said: string]>([
    ['gone', status(404), 'There is no page at'],
    ['gone for ever', status(410), 'There is no page at'],
    ['behind a login', status(401), 'requires a login'],
    ['a form for a password', html(login), 'requires a login'],
    ['led to a login', to('/login'), 'requires a login'],
    ['led to a login without a password', to('/sso/start'), 'requires a login'],
    ['refused to programs', status(403), 'blocks automated visitors'],
    ['busy', status(429, { 'retry-after': '0' }), 'too busy'],
    ['failing', status(500), 'answered with status 500'],
    [
      'a page that says it is none',
      html(pageHtml('Page not found', '<p>Try the search.</p>')),
      'says that it was not found',
    ],
    ['empty', html('<html><body><nav><a href="/">Home</a></nav></body></html>'), 'has no text'],
    ['made by scripts', html('<div id="root"></div><script src="a.js"></script>'), 'after scripts run'],
    ['a picture', html('\x89PNG', { 'content-type': 'image/png' }), 'returns image/png'],
    ['a program', html(Buffer.from([0, 1, 2, 3, 4, 5]), { 'content-type': '' }), 'not a page with text'],
    ['packed wrongly', html('no gzip', { 'content-encoding': 'gzip' }), 'could not be decoded'],
  ])('%s', async (_, answer, said) => {
    answers = {
      '/x': answer,
      '/login': html(login),
      '/sso/start': html(pageHtml('Members', '<p>Choose your company.</p>')),
    }
    expect(await reason('/x')).toContain(said)
  })

  it('too slow, or larger than it may be', async () => {
    answers['/slow'] = (response) => response.writeHead(200, { 'content-type': 'text/html' }).write('<p>')
    expect(await read('/slow', { timeoutMs: 300 })).toMatchObject({
      passing: true,
      reason: expect.stringContaining('within 0.3 s'),
    })
    let sent = 0
    answers['/film'] = (response) => {
      response.writeHead(200, { 'content-type': 'video/mp4' })
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536
      }
      response.on('drain', more)
      more()
    }
    expect(await reason('/film')).toContain('returns video/mp4')
    // the response was endless: reading stopped as soon as its type was known
    expect(sent).toBeLessThan(20_000_000)
  })
})

it('reads five megabytes of a page and says so, and refuses a PDF of more than fifty, however small they are packed', async () => {
  const packed = (type: string, text: string) =>
    html(gzipSync(text), { 'content-type': type, 'content-encoding': 'gzip' })
  answers['/long'] = packed('text/plain', 'word '.repeat(1_100_000))
  const page = await read('/long')
  expect(page).toMatchObject({ ok: true, note: expect.stringContaining('larger than 5 MB') })
  expect('markdown' in page && page.markdown.length).toBeLessThanOrEqual(5_000_000)
  answers['/bomb.pdf'] = packed('application/pdf', `%PDF-1.7${' '.repeat(51_000_000)}`)
  expect(await reason('/bomb.pdf')).toContain('larger than 50 MB')
})

it('leaves a host alone for as long as it asks, by its answer or by robots.txt', async () => {
  let time = 0
  const pages = readerOf({
    now: () => time,
    sleep: async (ms) => {
      time += ms
    },
  })
  answers['/busy'] = status(429, { 'retry-after': '7' })
  answers['/hours'] = html(article)
  await pages.read(`${site.url}/busy`)
  expect(time).toBe(0)
  await pages.read(`${site.url}/hours`)
  expect(time).toBe(7_000)
  answers['/robots.txt'] = html('User-agent: *\nCrawl-delay: 3', { 'content-type': 'text/plain' })
  const slow = readerOf({
    now: () => time,
    sleep: async (ms) => {
      time += ms
    },
  })
  for (let n = 0; n < 3; n++) await slow.read(`${site.url}/hours`)
  expect(time).toBe(13_000)
})

describe('addresses', () => {
  it('of private networks are not called, nor when a page leads there', async () => {
    const pages = createPages(contextOf(parseConfig({ OUTBOUND_ALLOW: '127.0.0.1' })), { pause: 0 })
    answers['/in'] = to(`${elsewhere.url}/secret`)
    answers['/secret'] = html(article)
    for (const url of [
      `${elsewhere.url}/secret`,
      `${site.url}/in`,
      'http://169.254.169.254/',
      'http://localhost:1/',
      'http://[::1]/',
    ])
      expect(await pages.read(url)).toMatchObject({
        ok: false,
        reason: expect.stringMatching(/private network|refused the connection|never calls/),
      })
    expect(elsewhere.received).toEqual([])
  })

  it('that robots.txt shuts are not asked for, and those of a host whose robots.txt fails neither', async () => {
    answers['/robots.txt'] = html(
      'User-agent: *\nAllow: /\n\nUser-agent: parley\nDisallow: /private\nAllow: /private/open',
      { 'content-type': 'text/plain' },
    )
    for (const path of ['/private/a', '/private/open', '/open']) answers[path] = html(article)
    const pages = readerOf()
    expect(await pages.read(`${site.url}/private/a`)).toMatchObject({ code: 'robots' })
    expect(await pages.read(`${site.url}/private/open`)).toMatchObject({ ok: true })
    answers['/in'] = to('/private/a')
    expect(await pages.read(`${site.url}/in`)).toMatchObject({ code: 'robots' })
    expect(site.received.map(({ path }) => path)).toEqual(['/robots.txt', '/private/open', '/in'])
    answers['/robots.txt'] = status(503)
    expect(await read('/open')).toMatchObject({ code: 'robots_away', passing: true })
  })
})
