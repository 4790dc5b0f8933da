import { z } from 'zod'
import { userSchema } from './auth'
import { defineRoute, gid, ok } from './route'

/** Most passkeys of an account. */
export const MOST_PASSKEYS = 20

/** WebAuthn's own forms, as browsers make and take them in JSON: what matters in them is checked by their signature. */
const bytes = z.string().max(20_000)
const deviceFields = {
  id: z.string().max(1_400),
  rawId: z.string().max(1_400),
  type: z.literal('public-key'),
  clientExtensionResults: z.record(z.string().max(100), z.unknown()),
  authenticatorAttachment: z.enum(['cross-platform', 'platform']).optional(),
}
const registered = z.strictObject({
  ...deviceFields,
  response: z.strictObject({
    clientDataJSON: bytes,
    attestationObject: bytes,
    authenticatorData: bytes.optional(),
    transports: z.array(z.string().max(20)).max(10).optional(),
    publicKeyAlgorithm: z.int().optional(),
    publicKey: bytes.optional(),
  }),
})
const signed = z.strictObject({
  ...deviceFields,
  response: z.strictObject({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: z.string().max(200).optional(),
  }),
})
/** What a browser asks its devices. */
const options = z.strictObject({ options: z.record(z.string(), z.unknown()) })

/** Begins a log-in with a passkey: the same for everybody. */
export const beginPasskeyLogin = defineRoute({
  method: 'POST',
  path: '/api/auth/passkey/begin',
  access: 'guest',
  limit: { by: 'address', most: 60 },
  answer: options,
})
export const loginByPasskey = defineRoute({
  method: 'POST',
  path: '/api/auth/passkey',
  access: 'guest',
  limit: { by: 'address', most: 30 },
  body: z.strictObject({ signed }),
  answer: z.strictObject({ user: userSchema }),
})

const name = z.string().trim().min(1, 'Required').max(75, 'Must not exceed 75 characters')
const current = z.string().min(1, 'Required').max(50, 'Must not exceed 50 characters')
export const passkeySchema = z.strictObject({
  gid,
  name: z.string(),
  created_at: z.string(),
  /** null: not used yet */
  used_at: z.string().nullable(),
})
export type Passkey = z.infer<typeof passkeySchema>
export const listPasskeys = defineRoute({
  method: 'GET',
  path: '/api/user/passkeys',
  access: 'user',
  answer: z.strictObject({ passkeys: z.array(passkeySchema) }),
})
export const beginPasskey = defineRoute({
  method: 'POST',
  path: '/api/user/passkeys/begin',
  access: 'user',
  body: z.strictObject({ current }),
  answer: options,
})
export const addPasskey = defineRoute({
  method: 'POST',
  path: '/api/user/passkeys',
  access: 'user',
  body: z.strictObject({ name, registered }),
  answer: z.strictObject({ passkey: passkeySchema }),
})
export const removePasskey = defineRoute({
  method: 'DELETE',
  path: '/api/user/passkeys/:gid',
  access: 'user',
  params: z.strictObject({ gid }),
  body: z.strictObject({ current }),
  answer: ok,
})
