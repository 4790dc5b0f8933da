import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

/** Where the documentation is served. */
export const DOCS_PATH = '/docs'

/**
 * Serves the built documentation at `/docs`, to anybody: hashed files cached for ever, pages never, unknown addresses
 * its own page with status 404. Addresses are without `.html`. Nothing without a build of it.
 * @param folder as server/cli/docsBuild.mjs writes it
 */
export async function serveDocs(app: FastifyInstance, folder: string): Promise<void> {
  const notFound = join(folder, '404.html')
  if (!existsSync(notFound)) return
  const page = readFileSync(notFound, 'utf8')
  app.get(DOCS_PATH, (_, reply) => reply.redirect(`${DOCS_PATH}/`, 301))
  await app.register(
    async (docs) => {
      await docs.register(fastifyStatic, {
        root: folder,
        // the application's own has decorated replies
        decorateReply: false,
        extensions: ['html'],
        redirect: true,
        cacheControl: false,
        setHeaders: (response, path) => {
          const hashed = path.startsWith(join(folder, 'assets/'))
          response.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
        },
      })
      docs.setNotFoundHandler((_, reply) =>
        reply.code(404).header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(page),
      )
    },
    { prefix: DOCS_PATH },
  )
}
