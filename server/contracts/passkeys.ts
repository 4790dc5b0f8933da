import { z } from 'zod'
import { userSchema } from './auth'
import { presentPassword, shortName } from './fields'
import { defineRoute, gid, ok } from './route'

/** Most passkeys of an account. */
export const MOST_PASSKEYS = 20

/** Far more than any answer of a device takes. */
const BODY_BYTES = 32 * 1024

/** Bytes in base64url: of the form that WebAuthn gives its answers in JSON, their parts that say something. */
const bytes = z.string().min(1).max(8_000)
/** The device's own name of a passkey, which is 1,023 bytes at most. */
const credential = z.string().min(1).max(1_400)
/** A new key of a device, and what it was asked to sign. */
export const madeSchema = z.strictObject({
  credential,
  clientDataJSON: bytes,
  attestationObject: bytes,
  /** how the browser reaches the device */
  transports: z.array(z.string().max(20)).max(10),
})
export type MadePasskey = z.infer<typeof madeSchema>
/** What a device has signed with a key that it has. */
export const signedSchema = z.strictObject({
  credential,
  clientDataJSON: bytes,
  authenticatorData: bytes,
  signature: bytes,
  /** whose account the device says it is for */
  userHandle: z.string().min(1).max(200),
})
export type SignedByPasskey = z.infer<typeof signedSchema>
/** What `navigator.credentials` is asked with, in WebAuthn's JSON. */
const options = z.strictObject({ options: z.record(z.string(), z.unknown()) })

/** Begins a log-in by a passkey: the answer is of the same kind for everybody. */
export const beginPasskeyLogin = defineRoute({
  method: 'POST',
  path: '/api/auth/passkey/begin',
  access: 'guest',
  limit: { by: 'address', most: 60 },
  answer: options,
})
/** Logs in. A passkey is both factors: no code is asked for. */
export const loginByPasskey = defineRoute({
  method: 'POST',
  path: '/api/auth/passkey',
  access: 'guest',
  bodyLimit: BODY_BYTES,
  body: z.strictObject({ signed: signedSchema }),
  answer: z.strictObject({ user: userSchema }),
})

const passkeySchema = z.strictObject({
  gid,
  name: z.string(),
  created_at: z.string(),
  /** null: not used yet */
  used_at: z.string().nullable(),
})
export type Passkey = z.infer<typeof passkeySchema>
/** The account's passkeys, oldest first. */
export const listPasskeys = defineRoute({
  method: 'GET',
  path: '/api/user/passkeys',
  access: 'user',
  answer: z.strictObject({ passkeys: z.array(passkeySchema) }),
})
/** Begins adding one. */
export const beginPasskey = defineRoute({
  method: 'POST',
  path: '/api/user/passkeys/begin',
  access: 'user',
  body: z.strictObject({ current: presentPassword }),
  answer: options,
})
export const addPasskey = defineRoute({
  method: 'POST',
  path: '/api/user/passkeys',
  access: 'user',
  bodyLimit: BODY_BYTES,
  body: z.strictObject({ name: shortName, made: madeSchema }),
  answer: z.strictObject({ passkey: passkeySchema }),
})
export const renamePasskey = defineRoute({
  method: 'PATCH',
  path: '/api/user/passkeys/:gid',
  access: 'user',
  params: z.strictObject({ gid }),
  body: z.strictObject({ name: shortName }),
  answer: ok,
})
/** Ends the other sessions that a passkey has opened as well: which one it was is not kept. */
export const removePasskey = defineRoute({
  method: 'POST',
  path: '/api/user/passkeys/:gid/remove',
  access: 'user',
  params: z.strictObject({ gid }),
  body: z.strictObject({ current: presentPassword }),
  answer: ok,
})
