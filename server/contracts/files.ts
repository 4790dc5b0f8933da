import { z } from 'zod'
import { media, mediaCaps } from '../../engine/values/mediaFile'
import { defineRoute, gid } from './route'

/** The public address of the file on this installation. */
export const fileSchema = z.strictObject({
  gid,
  url: z.string(),
  media_type: z.string(),
  bytes: z.int(),
  name: z.string(),
})
export type StoredFile = z.infer<typeof fileSchema>

/**
 * Uploads an image, a video, a sound or a document; the body is the file. Its type is recognised by its bytes. The same
 * bytes again give the same file. An image is stored upright, at most 2,560 pixels a side, without its metadata.
 */
export const uploadFile = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/files',
  access: { feature: 'builder.update' },
  params: z.strictObject({ pgid: gid }),
  query: z.strictObject({
    name: z.string().trim().max(255, 'Must not exceed 255 characters').default(''),
    medium: z.enum(media).default('image'),
    // an avatar is stored smaller
    use: z.enum(['message', 'avatar']).default('message'),
  }),
  body: z.custom<AsyncIterable<Uint8Array>>(
    (body) => typeof body === 'object' && body !== null && Symbol.asyncIterator in body,
    'Send the file itself as the body, not JSON',
  ),
  bodyLimit: Math.max(...Object.values(mediaCaps)),
  answer: z.strictObject({ file: fileSchema }),
})

/** The file's bytes, or a range of them (for seeking), for anybody who knows the id. */
export const readFile = defineRoute({
  method: 'GET',
  path: '/files/:gid',
  access: 'public',
  params: z.strictObject({ gid }),
  answer: z.unknown(),
})
