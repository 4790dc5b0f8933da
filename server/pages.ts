import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { ApiError } from './errors'

/**
 * Serves the built interface: hashed files for ever, pages anew each time. A path that is no file is one of the interface's own
 * screens; below /c/ it is a chatbot's shared page. Without a build, every such path is a 404.
 */
export async function servePages(app: FastifyInstance, folder: string): Promise<void> {
  const built = existsSync(join(folder, 'index.html'))
  if (built) {
    await app.register(fastifyStatic, {
      root: folder,
      index: false,
      cacheControl: false,
      // build.mjs puts a .br and a .gz beside each asset
      preCompressed: true,
      setHeaders: (response, path) => {
        const hashed = path.startsWith(join(folder, 'assets/'))
        response.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
    app.get('/', (_, reply) => reply.sendFile('index.html'))
    app.get('/c/*', (_, reply) => reply.sendFile('widget/chat.html'))
  }
  app.setNotFoundHandler((request, reply): FastifyReply => {
    const path = request.url.split('?', 1)[0] ?? ''
    const isScreen =
      built &&
      (request.method === 'GET' || request.method === 'HEAD') &&
      !/^\/(api|assets|collab|files|health|ready|metrics)(\/|$)/.test(path)
    if (!isScreen) throw new ApiError('not_found')
    return reply.sendFile('index.html')
  })
}
