import type { FastifyInstance } from 'fastify'
import { mediaCaps } from '../../../../engine/values/mediaFile'
import { registerRoute } from '../../../access/register'
import { readFile, uploadFile } from '../../../contracts/files'
import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'
import { byteRange } from '../../../platform/files/byteRange'
import { disposition } from '../../../platform/files/disposition'
import type { ByteRange, FileStore } from '../../../platform/files/files'
import { AVATAR_SIDE } from '../../../platform/files/pictures/cleanPicture'
import { createUploadQuotas } from '../../../platform/files/uploadQuotas'
import { lengthOf } from '../../../platform/http/fileBody'
import { templateFiles } from '../../templates/templateFiles'
import { presentFile } from './presenter'
import { readUpload, tooLarge } from './readUpload'
import { redirect } from './redirect'

const PDF = 'application/pdf'

/** Uploaded files: members of a project upload them; anybody who knows a file's address can read it. */
export function registerFiles(app: FastifyInstance, context: ServerContext, store: FileStore): void {
  const { db, clock, ids } = context
  const quotas = createUploadQuotas(context)

  app.register(async (scope) => {
    // the body is the file: a client without permission is refused before a byte is read
    scope.addContentTypeParser('*', (_, body, done) => done(null, body))

    registerRoute(scope, context, uploadFile, async ({ caller, query, body, request }) => {
      if (lengthOf(request) > mediaCaps[query.medium]) throw tooLarge(query.medium)
      const { type, stored } = await quotas.during(
        { projectId: caller.project.id, visitor: null, bytes: lengthOf(request) || mediaCaps[query.medium] },
        async () => {
          const { type, bytes } = await readUpload(body, query.medium)
          const stored = await store.put(caller.project.id, bytes, {
            type,
            ...(query.use === 'avatar' && { side: AVATAR_SIDE }),
          })
          return { type, stored, bytes: stored.bytes }
        },
      )
      await caller.db
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
      const row = await caller.db
        .selectFrom('files')
        .select(['gid', 'media_type', 'bytes', 'name'])
        .where('project_id', '=', caller.project.id)
        .where('sha256', '=', stored.sha256)
        .executeTakeFirstOrThrow()
      return { file: presentFile(row) }
    })
  })

  registerRoute(app, context, readFile, async ({ params, request, reply }) => {
    const ofTemplate = templateFiles.get(params.gid)
    const row = ofTemplate
      ? null
      : await db.selectFrom('files').selectAll().where('gid', '=', params.gid).executeTakeFirst()
    const file = ofTemplate ? { ...ofTemplate, bytes: ofTemplate.bytes.length } : row
    if (!file) throw new ApiError('not_found')
    const tag = `"${file.sha256}"`
    const known = request.headers['if-none-match']?.includes(tag)
    const range = known ? null : byteRange(request.headers, file.bytes, tag)
    const read = (part?: ByteRange) =>
      row ? store.read(row.project_id, row.sha256, part) : ofTemplate?.bytes.subarray(part?.start, part && part.end + 1)
    // in a sandbox browsers show no PDF
    const shown = {
      type: file.media_type,
      disposition: disposition(file.media_type === PDF ? 'attachment' : 'inline', file.name),
    }
    const link = row && !known ? await store.link(row.project_id, row.sha256, shown) : null
    if (link) return redirect(reply, link, 'public')
    const bytes = known || range === 'none' ? null : await read(range ?? undefined)
    if (!known && range !== 'none' && !bytes) throw new ApiError('not_found')
    reply.headers({
      'cache-control': 'public, max-age=31536000, immutable',
      etag: tag,
      'accept-ranges': 'bytes',
      // whatever a browser takes the bytes for, no script in them runs
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'content-disposition': shown.disposition,
      // a chat may be embedded in another site
      'cross-origin-resource-policy': 'cross-origin',
    })
    if (known) return reply.status(304).send()
    if (range === 'none') return reply.status(416).header('content-range', `bytes */${file.bytes}`).send()
    if (range) reply.status(206).header('content-range', `bytes ${range.start}-${range.end}/${file.bytes}`)
    const length = range ? range.end - range.start + 1 : file.bytes
    return reply.headers({ 'content-type': file.media_type, 'content-length': length }).send(bytes)
  })
}
