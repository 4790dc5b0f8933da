import { z } from 'zod'
import { fileBody } from './chat'
import { defineRoute, gid, ok } from './route'

/** Most bytes of a person's picture, and what its sides are made to fit in. The interface sends 256 by 256 pixels. */
export const PICTURE_CAP = 200_000
export const PICTURE_SIDE = 512

/** Where a person's picture is found; null: they have none. */
export const pictureAddress = (gid: string | null): string | null => gid && `/files/people/${gid}`
/** An address of `pictureAddress`. */
export const pictureSchema = z.string().nullable()

/**
 * Sets the caller's picture, in place of the one before; the body is the file: a JPEG, recognised by its bytes. 415
 * `unsupported_type` for something else, 413 `too_large` above the caps.
 */
export const setPicture = defineRoute({
  method: 'POST',
  path: '/api/user/picture',
  access: 'user',
  limit: { by: 'user', most: 20 },
  body: fileBody,
  bodyLimit: PICTURE_CAP,
  answer: z.strictObject({ picture: pictureSchema }),
})
/** Removes it: its address shows nothing any more. */
export const removePicture = defineRoute({
  method: 'DELETE',
  path: '/api/user/picture',
  access: 'user',
  answer: ok,
})
/** The picture's bytes, for anybody who knows the id: visitors see whom they talk to. */
export const readPicture = defineRoute({
  method: 'GET',
  path: '/files/people/:gid',
  access: 'public',
  params: z.strictObject({ gid }),
  answer: z.unknown(),
})
