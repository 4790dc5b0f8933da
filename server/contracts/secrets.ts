import { z } from 'zod'
import { cleanText } from '../../engine/values/cleanText'
import { SECRET_NAME, secretCaps } from '../../engine/values/secrets'
import { defineRoute, gid, ok } from './route'

/** The value is never returned, not even its last characters: the name has to identify it. */
const secretSchema = z.strictObject({
  gid,
  name: z.string(),
  /** null: a deleted account, or from a flow before secrets existed */
  changed_by: z.string().nullable(),
  changed_at: z.string(),
})
export type ProjectSecret = z.infer<typeof secretSchema>

const inProject = z.strictObject({ pgid: gid })
const one = z.strictObject({ pgid: gid, gid })
const path = '/api/projects/:pgid/secrets'

const name = z
  .string()
  .trim()
  .min(1, 'Enter a name')
  .max(secretCaps.name, `Must not exceed ${secretCaps.name} characters`)
  .regex(SECRET_NAME, 'Use letters, digits and underscores')
const value = z
  .string()
  .max(secretCaps.value, `Must not exceed ${secretCaps.value} characters`)
  .transform((text) => cleanText(text).trim())
  .pipe(z.string().min(1, 'Enter the value'))

/** For everybody who sees flows: chips show the names. */
export const listSecrets = defineRoute({
  method: 'GET',
  path,
  access: { feature: 'builder.view' },
  params: inProject,
  answer: z.strictObject({ secrets: z.array(secretSchema) }),
})

const useSchema = z.strictObject({
  chatbot: z.strictObject({ gid, name: z.string() }),
  /** titles of flows that refer to it, in drafts or published versions */
  flows: z.array(z.string()),
  /** titles of lists that it follows with it */
  lists: z.array(z.string()),
  /** names of its model's actions that do */
  actions: z.array(z.string()),
})
export type SecretUse = z.infer<typeof useSchema>

/** Which flows refer to which secrets, by name. */
export const listSecretUses = defineRoute({
  method: 'GET',
  path: `${path}/uses`,
  access: { feature: 'builder.view' },
  params: inProject,
  answer: z.strictObject({ uses: z.record(z.string(), z.array(useSchema)) }),
})

/** Without a name it gets a free one similar to `like`. A taken name is refused at `name`. */
export const createSecret = defineRoute({
  method: 'POST',
  path,
  access: { feature: 'builder.update' },
  params: inProject,
  body: z.strictObject({ name: name.optional(), like: z.string().max(200).optional(), value }),
  answer: z.strictObject({ secret: secretSchema }),
})

/** Replaces its value, at once for everything that refers to it. */
export const replaceSecret = defineRoute({
  method: 'PATCH',
  path: `${path}/:gid`,
  access: { feature: 'builder.update' },
  params: one,
  body: z.strictObject({ value }),
  answer: z.strictObject({ secret: secretSchema }),
})

/** Refused with `conflict`, naming the flows, while flows refer to it, unless `confirmed`. */
export const deleteSecret = defineRoute({
  method: 'DELETE',
  path: `${path}/:gid`,
  access: { feature: 'builder.update' },
  params: one,
  body: z.strictObject({ confirmed: z.boolean() }),
  answer: ok,
})
