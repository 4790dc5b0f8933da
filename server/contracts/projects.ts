import { z } from 'zod'
import { defineRoute, gid, ok } from './route'

export const projectName = z.string().trim().min(1, 'Enter a project name').max(125, 'Must not exceed 125 characters')
export const projectSchema = z.strictObject({ gid, name: z.string(), default: z.boolean() })
export type Project = z.infer<typeof projectSchema>
const params = z.strictObject({ pgid: gid })

export const listProjects = defineRoute({
  method: 'GET',
  path: '/api/projects',
  access: 'user',
  answer: z.strictObject({
    projects: z.array(projectSchema.extend({ roles: z.array(z.int()), chatbots: z.int(), updated_at: z.string() })),
  }),
})
export const createProject = defineRoute({
  method: 'POST',
  path: '/api/projects',
  access: 'user',
  body: z.strictObject({ name: projectName }),
  answer: z.strictObject({ project: projectSchema }),
})
const NETWORKS_CAP = 500
const networks = z.string().trim().max(NETWORKS_CAP, `Must not exceed ${NETWORKS_CAP} characters`)
const networksAnswer = z.strictObject({
  /** comma-separated */
  networks: z.string(),
  /** false: the installation does not let projects open networks */
  allowed: z.boolean(),
})
/** The private networks that the project may call, in addition to those of the installation. */
export const readNetworks = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/networks',
  access: { feature: 'security.update' },
  params: z.strictObject({ pgid: gid }),
  answer: networksAnswer,
})
/** Only for owners. */
export const updateNetworks = defineRoute({
  method: 'PATCH',
  path: '/api/projects/:pgid/networks',
  access: { feature: 'security.update' },
  params: z.strictObject({ pgid: gid }),
  body: z.strictObject({ networks }),
  answer: networksAnswer,
})
const ADDRESSES_CAP = 2_000
const addressesAnswer = z.strictObject({
  /** with commas; empty: from everywhere */
  addresses: z.string(),
  /** the caller's own */
  own: z.string(),
})
/** From where members and API keys may open the project. */
export const readAllowedAddresses = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/allowed-addresses',
  access: { feature: 'security.update' },
  params: z.strictObject({ pgid: gid }),
  answer: addressesAnswer,
})
/** Only for owners; the caller's own address has to be among them. */
export const updateAllowedAddresses = defineRoute({
  method: 'PATCH',
  path: '/api/projects/:pgid/allowed-addresses',
  access: { feature: 'security.update' },
  params: z.strictObject({ pgid: gid }),
  body: z.strictObject({
    addresses: z.string().trim().max(ADDRESSES_CAP, `Must not exceed ${ADDRESSES_CAP} characters`),
  }),
  answer: addressesAnswer,
})
export const renameProject = defineRoute({
  method: 'PATCH',
  path: '/api/projects/:pgid',
  access: { feature: 'project.update' },
  params,
  body: z.strictObject({ name: projectName }),
  answer: z.strictObject({ project: projectSchema }),
})
/** `name` must repeat the project's name. The account's last project can't be deleted. */
export const deleteProject = defineRoute({
  method: 'DELETE',
  path: '/api/projects/:pgid',
  access: { feature: 'project.delete' },
  params,
  body: z.strictObject({ name: z.string().max(125) }),
  answer: ok,
})
/** Copies the project's chatbots with their drafts; nothing is published. */
export const duplicateProject = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/duplicate',
  access: { feature: 'project.export' },
  params,
  answer: z.strictObject({ project: projectSchema }),
})
