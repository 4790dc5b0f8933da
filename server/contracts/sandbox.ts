import { z } from 'zod'
import { defineRoute, gid } from './route'

const path = '/api/projects/:pgid/sandbox'
const params = z.strictObject({ pgid: gid })

const sandboxSchema = z.strictObject({
  /** the page of all stand-ins, on the server's machine; null: the sandbox is off */
  url: z.string().nullable(),
  /** started with --sandbox, and ended with the process */
  fixed: z.boolean(),
  /** why it can't be turned on, with the remedy; null: it can, or is on */
  refused: z.string().nullable(),
  /** accounts at stand-ins, in all projects: they are disconnected when it is turned off */
  connections: z.int(),
})
export type SandboxState = z.infer<typeof sandboxSchema>

/** Whether vendors are stand-ins in this installation. */
export const readSandbox = defineRoute({
  method: 'GET',
  path,
  access: { feature: 'security.update' },
  params,
  answer: sandboxSchema,
})

/**
 * Starts or ends the stand-ins of all vendors, for the whole installation: only for owners. 409 with the reason where
 * that is refused; turning it off disconnects accounts at stand-ins, and wants `confirmed` if there are some.
 */
export const switchSandbox = defineRoute({
  method: 'PATCH',
  path,
  access: { feature: 'security.update' },
  limit: { by: 'user', most: 30 },
  params,
  body: z.strictObject({ on: z.boolean(), confirmed: z.boolean().optional() }),
  answer: sandboxSchema,
})
