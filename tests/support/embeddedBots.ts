import type { BrowserContext } from 'playwright-core'
import { defaultLook, type Look } from '../../server/contracts/web/look'
import type { EmbedSettings } from '../../server/contracts/web/settings'
import { embedSchema } from '../../server/contracts/web/settings'
import type { Config } from '../../server/platform/config/config'
import { type ScriptedBots, startScriptedBots } from './chatBots'
import { startOutsideServer } from './outsideServer'

interface SitePage {
  /** what stands in its head, beside its title */
  head?: string
  body?: string
  /** such as its Content-Security-Policy */
  headers?: Record<string, string>
  dir?: 'ltr' | 'rtl'
}

/** A site of somebody else, on another site than the server's (`localhost`, where that is `127.0.0.1`). Pages by their paths. */
export async function startSite(pages: Record<string, SitePage> = {}) {
  const server = await startOutsideServer(({ path }, response) => {
    // browsers ask every site for it
    if (path === '/favicon.ico') return response.writeHead(204).end()
    const page = pages[path.split('?')[0] ?? '']
    if (!page) {
      response.writeHead(404, { 'content-type': 'text/html' })
      return response.end('<!doctype html><title>Nothing</title>')
    }
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...page.headers })
    return response.end(
      `<!doctype html><html lang="en" dir="${page.dir ?? 'ltr'}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Harbour Lamps</title>${page.head ?? ''}</head>
<body><main><h1>Harbour Lamps</h1>${page.body ?? '<p>Lamps for boats.</p><a href="/two">Two</a>'}</main></body></html>`,
    )
  })
  const url = server.url.replace('127.0.0.1', 'localhost')
  return { ...server, url, pages }
}

/** Has pages of a browser open shadow roots that scripts close: else no test sees what stands in them. */
export const openShadows = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    const { attachShadow } = Element.prototype
    Element.prototype.attachShadow = function (options) {
      return attachShadow.call(this, { ...options, mode: 'open' })
    }
  })

/** Chatbots that say what a test writes down, to be embedded. */
export async function startEmbeddedBots(clientDir: string, config: Partial<Config> = {}) {
  const bots = await startScriptedBots(clientDir, config)
  return {
    ...bots,
    /** publishes one; gives its external id and the line that embeds it */
    async embed(
      steps: Parameters<ScriptedBots['publish']>[0],
      settings: Partial<EmbedSettings> = {},
      look: Look = defaultLook,
    ) {
      const bot = await bots.publish(steps)
      const { db } = bots.server.context
      const { id, project_id, egid } = await db
        .selectFrom('chatbots')
        .select(['id', 'project_id', 'egid'])
        .where('slug', '=', bot.url.split('/').at(-1) ?? '')
        .executeTakeFirstOrThrow()
      await db
        .insertInto('web_chats')
        .values({
          chatbot_id: id,
          project_id,
          embed: JSON.stringify({ ...embedSchema.parse({}), ...settings }),
          look_published: JSON.stringify(look),
          updated_at: new Date(),
        })
        .execute()
      const line = (kind = '', attributes = '') =>
        `<script async ${attributes} src="${bots.server.url}/embed.js?chatbot=${egid}${kind && `&kind=${kind}`}"></script>`
      return { ...bot, egid, projectId: project_id, chatbotId: id, line }
    },
  }
}
export type EmbeddedBots = Awaited<ReturnType<typeof startEmbeddedBots>>
