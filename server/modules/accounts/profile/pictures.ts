import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../../access/register'
import * as contract from '../../../contracts/pictures'
import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'
import { cleanPicture } from '../../../platform/files/pictures/cleanPicture'
import { lengthOf, readBody } from '../../../platform/http/fileBody'

const { PICTURE_CAP, PICTURE_SIDE } = contract

/** The pictures that people show beside their names: small, so that they lie with their rows. */
export function registerPictures(app: FastifyInstance, context: ServerContext): void {
  const { db, clock, ids } = context

  app.register(async (scope) => {
    // the body is the file: a client that may not send one is refused before a byte is read
    scope.addContentTypeParser('*', (_, body, done) => done(null, body))

    registerRoute(scope, context, contract.setPicture, async ({ caller: { user }, body, request }) => {
      if (lengthOf(request) > PICTURE_CAP) throw tooLarge()
      const bytes = await readPicture(body)
      const gid = ids()
      await db.transaction().execute(async (trx) => {
        // two at once: the later one stays
        await trx.selectFrom('users').select('id').where('id', '=', user.id).forUpdate().execute()
        await trx.deleteFrom('user_pictures').where('user_id', '=', user.id).execute()
        await trx.insertInto('user_pictures').values({ gid, user_id: user.id, bytes, created_at: clock() }).execute()
        await trx.updateTable('users').set({ picture: gid }).where('id', '=', user.id).execute()
      })
      return { picture: contract.pictureAddress(gid) }
    })
  })

  registerRoute(app, context, contract.removePicture, async ({ caller: { user } }) => {
    await db.deleteFrom('user_pictures').where('user_id', '=', user.id).execute()
    return {}
  })

  registerRoute(app, context, contract.readPicture, async ({ params: { gid }, request, reply }) => {
    const row = await db.selectFrom('user_pictures').select('bytes').where('gid', '=', gid).executeTakeFirst()
    if (!row) throw new ApiError('not_found')
    const tag = `"${gid}"`
    reply.headers({
      // an hour, not for ever: who removes a picture wants it gone
      'cache-control': 'public, max-age=3600',
      etag: tag,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
      'content-disposition': 'inline',
      // a chat may be embedded in another site
      'cross-origin-resource-policy': 'cross-origin',
    })
    if (request.headers['if-none-match']?.includes(tag)) return reply.status(304).send()
    return reply.headers({ 'content-type': 'image/jpeg', 'content-length': row.bytes.length }).send(row.bytes)
  })
}

/**
 * The picture as it is stored: upright, small, without metadata.
 * @throws ApiError `unsupported_type` for what is no JPEG, `too_large` above the caps, `invalid` for a damaged one
 */
async function readPicture(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const opened = await readBody(body, { head: 3, cap: PICTURE_CAP, tooLarge })
  const parts: Uint8Array[] = []
  for await (const part of opened.bytes) parts.push(part)
  const bytes = Buffer.concat(parts)
  if (!isJpeg(bytes)) throw new ApiError('unsupported_type', { message: 'A picture has to be a JPEG.' })
  return cleanPicture(bytes, 'image/jpeg', PICTURE_SIDE)
}

const isJpeg = (bytes: Buffer) => bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex'))
const tooLarge = () =>
  new ApiError('too_large', { message: `A picture can have at most ${PICTURE_CAP / 1_000} KB. Choose a smaller one.` })
