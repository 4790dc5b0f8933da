import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMcpServer, type TestMcpServer } from '../../../tests/support/mcpServer'
import { type ModelServer, startModelServer } from '../../../tests/support/modelServer'
import { type OutsideServer, startOutsideServer } from '../../../tests/support/outsideServer'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { pageHtml } from '../../../tests/support/siteServer'
import { addConnection } from '../../contracts/ai'
import { createChatbot } from '../../contracts/chatbots'
import { startCrawl } from '../../contracts/crawls'
import { updateNetworks } from '../../contracts/projects'
import { addLinks } from '../../contracts/sources'
import { addToolServer } from '../../contracts/tool-servers'
import { createPages } from '../../modules/knowledge/page/readPage'

/** Everything that a project calls besides its HTTP requests, in a network that its owner opened. */
let server: TestServer
let site: OutsideServer
let tools: TestMcpServer
let models: ModelServer
beforeAll(async () => {
  ;[site, tools, models] = await Promise.all([
    startOutsideServer(({ path }, response) => {
      if (path === '/robots.txt') return response.end(`Sitemap: ${site.url}/map-of-this-network.xml`)
      response.writeHead(200, { 'content-type': 'text/html' }).end(pageHtml('Within', '<p>For our people alone.</p>'))
    }),
    startMcpServer(),
    startModelServer(),
  ])
  tools.offer({ track: () => 'on its way' })
  server = await startTestServer({ config: { projectNetworks: true } })
})
afterAll(() => Promise.all([server.close(), site.close(), tools.close(), models.close()]))

const opens = (person: Registered, networks: string) =>
  person.call(updateNetworks, { params: { pgid: person.pgid }, body: { networks } })
async function chatbotOf(person: Registered) {
  const { chatbot } = await person.call(createChatbot, { params: { pgid: person.pgid }, body: { name: 'Bot' } })
  return { pgid: person.pgid, cgid: chatbot.gid }
}

const CALLS: Record<string, (person: Registered) => Promise<unknown>> = {
  'a website to train on': async (person) =>
    person.call(startCrawl, {
      params: await chatbotOf(person),
      body: { mode: 'page', url: `${site.url}/`, depth: 0, max_pages: 1, include: [], exclude: [] },
    }),
  'a page as a source': async (person) =>
    person.call(addLinks, { params: await chatbotOf(person), body: { urls: [`${site.url}/`], resync: 'never' } }),
  'a server of tools': async (person) =>
    person.call(addToolServer, {
      params: await chatbotOf(person),
      body: { name: 'Shop', url: tools.url },
    }),
  'a server of models': (person) =>
    person.call(addConnection, {
      params: { pgid: person.pgid },
      body: {
        provider: 'openai-compatible',
        base_url: models.settings.baseUrl,
        models: [{ name: 'small', supports_actions: false }],
      },
    }),
}

test.each(Object.entries(CALLS))(
  '%s in a private network is called for the project that has opened it, as long as it has',
  async (_, call) => {
    const [ada, eve] = [await server.register(), await server.register()]
    await opens(ada, '127.0.0.1')
    await call(ada)
    await expect(call(eve)).rejects.toThrow(/owner of the project under Private networks/)
    await opens(ada, '')
    await expect(call(ada)).rejects.toThrow(/private network/)
  },
)

test('what a private network says of itself is kept for the project that may call it, and for no other', async () => {
  const [ada, eve] = [await server.register(), await server.register()]
  await opens(ada, '127.0.0.1')
  const rows = await server.context.db.selectFrom('projects').select(['id', 'gid']).execute()
  const idOf = (person: Registered) => rows.find(({ gid }) => gid === person.pgid)?.id ?? ''
  const pages = createPages(server.context)
  const page = `${site.url}/people`
  expect(await pages.read(page, { owner: idOf(ada) })).toMatchObject({ ok: true, title: 'Within' })
  const { sitemaps } = await pages.robots(page, { owner: idOf(ada) })
  expect(sitemaps).toEqual([`${site.url}/map-of-this-network.xml`])
  for (const owner of [idOf(eve), undefined]) {
    expect(await pages.read(page, { owner })).toMatchObject({ ok: false, code: 'private_address' })
    await expect(pages.robots(page, { owner })).rejects.toThrow(/private network/)
    await expect(pages.fetch(page, 1_000, { owner })).rejects.toThrow(/private network/)
  }
  await opens(ada, '')
  await expect(pages.robots(page, { owner: idOf(ada) })).rejects.toThrow(/private network/)
})
