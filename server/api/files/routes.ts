import type { FastifyInstance } from 'fastify'
import { IMAGE_CAP } from '../../../engine/values/imageFile'
import type { ServerContext } from '../../context'
import { ApiError } from '../../errors'
import type { FileStore } from '../../storage/files'
import { registerRoute } from '../register'
import { readFile, uploadImage } from './contract'
import { presentFile } from './presenter'
import { readImage, tooLarge } from './readImage'

const HOUR = 60 * 60 * 1000

/** Uploaded files: members of a project put them in, anybody who knows a file's address sees it. */
export function registerFiles(app: FastifyInstance, context: ServerContext, store: FileStore): void {
  const { db, clock, ids } = context

  app.addHook('onReady', () => store.sweep(new Date(clock().getTime() - HOUR)))

  app.register(async (scope) => {
    // the body is the file: whoever may not send one has it refused before a byte is read
    scope.addContentTypeParser('*', (_, body, done) => done(null, body))

    registerRoute(scope, context, uploadImage, async ({ caller, query, body, request }) => {
      if (Number(request.headers['content-length'] ?? 0) > IMAGE_CAP) throw tooLarge()
      const { type, bytes } = await readImage(body)
      const stored = await store.put(caller.project.id, bytes)
      await db
        .insertInto('files')
        .values({
          ...stored,
          gid: ids(),
          project_id: caller.project.id,
          media_type: type,
          name: query.name,
          created_by: caller.user.id,
          created_at: clock(),
        })
        .onConflict((conflict) => conflict.columns(['project_id', 'sha256']).doNothing())
        .execute()
      const row = await db
        .selectFrom('files')
        .select(['gid', 'media_type', 'bytes', 'name'])
        .where('project_id', '=', caller.project.id)
        .where('sha256', '=', stored.sha256)
        .executeTakeFirstOrThrow()
      return { file: presentFile(row) }
    })
  })

  registerRoute(app, context, readFile, async ({ params, request, reply }) => {
    const file = await db.selectFrom('files').selectAll().where('gid', '=', params.gid).executeTakeFirst()
    if (!file) throw new ApiError('not_found')
    const tag = `"${file.sha256}"`
    const known = request.headers['if-none-match']?.includes(tag)
    const bytes = known ? null : await store.read(file.project_id, file.sha256)
    if (!known && !bytes) throw new ApiError('not_found')
    reply.headers({
      'cache-control': 'public, max-age=31536000, immutable',
      etag: tag,
      // whatever the bytes may be to a browser, nothing in them runs
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'content-disposition': `inline${file.name && `; filename*=UTF-8''${encodeName(file.name)}`}`,
      // a chat may stand on a site of somebody else
      'cross-origin-resource-policy': 'cross-origin',
    })
    if (!bytes) return reply.status(304).send()
    return reply.headers({ 'content-type': file.media_type, 'content-length': file.bytes }).send(bytes)
  })
}

/** A name as RFC 8187 writes it in a header. */
const encodeName = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
